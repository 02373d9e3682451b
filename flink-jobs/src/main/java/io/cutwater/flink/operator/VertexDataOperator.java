package io.cutwater.flink.operator;

import io.cutwater.flink.checkpoint.ReplicaBytes;
import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.flink.types.graph.VertexEvent;
import io.cutwater.flink.types.shard.ShardVertices;
import io.cutwater.flink.types.shard.VertexReplicas;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import java.util.Arrays;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Sends the data of each vertex to the shards that hold it. Its keyed state has the partitions and the last data of
 * each vertex, whichever arrives first; only the records in preparation are in memory.
 *
 * <p>It is an operator and not a process function because a record contains many vertices and must be released before a
 * barrier.
 */
public final class VertexDataOperator extends AbstractStreamOperator<ShardVertices>
        implements TwoInputStreamOperator<VertexReplicas, VertexEvent, ShardVertices> {
    public static final OutputTag<RejectedRecord> DEAD_LETTERS =
            new OutputTag<>("rejected-vertices", GraphTypes.REJECTED_RECORD);

    private static final int[] NOWHERE = {};

    private static final ValueStateDescriptor<byte[]> REPLICAS =
            new ValueStateDescriptor<>("replicas", BytePrimitiveArraySerializer.INSTANCE);
    /** Bytes of {@link io.cutwater.format.vertex.VertexRecordCodec}, which begin with their version. */
    private static final ValueStateDescriptor<byte[]> DATA =
            new ValueStateDescriptor<>("data", BytePrimitiveArraySerializer.INSTANCE);

    // Runtime, created in every attempt.
    private transient ValueState<byte[]> replicasState;
    private transient ValueState<byte[]> dataState;
    private transient ShardVertexBuffers shards;
    private transient Counter vertexRecords;
    private transient Counter rejectedRecords;
    private transient Counter sentData;

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        replicasState = context.getKeyedStateStore().getState(REPLICAS);
        dataState = context.getKeyedStateStore().getState(DATA);
    }

    @Override
    public void open() throws Exception {
        super.open();
        StreamRecord<ShardVertices> reused = new StreamRecord<>(null);
        shards = new ShardVertexBuffers(vertices -> output.collect(reused.replace(vertices)));
        MetricGroup group = getMetricGroup().addGroup("cutwater");
        vertexRecords = group.counter("vertexRecords");
        rejectedRecords = group.counter("rejectedVertexRecords");
        sentData = group.counter("sentVertexData");
    }

    /** Processes a change of the partitions that hold a vertex. */
    @Override
    public void processElement1(StreamRecord<VertexReplicas> element) throws Exception {
        long vertex = element.getValue().vertex();
        int[] now = element.getValue().partitions();
        int[] before = replicas();
        byte[] data = dataState.value();
        if (data != null) {
            for (int shard : now) {
                if (Arrays.binarySearch(before, shard) < 0) {
                    send(shard, vertex, data);
                }
            }
            for (int shard : before) {
                if (Arrays.binarySearch(now, shard) < 0) {
                    send(shard, vertex, null);
                }
            }
        }
        if (now.length == 0) {
            replicasState.clear();
        } else {
            replicasState.update(ReplicaBytes.of(now));
        }
    }

    /** Processes new data of a vertex. */
    @Override
    public void processElement2(StreamRecord<VertexEvent> element) throws Exception {
        VertexEvent event = element.getValue();
        vertexRecords.inc();
        if (event.rejected() != null) {
            rejectedRecords.inc();
            output.collect(DEAD_LETTERS, new StreamRecord<>(event.rejected()));
            return;
        }
        byte[] data = event.data();
        if (Arrays.equals(data, dataState.value())) {
            return;
        }
        for (int shard : replicas()) {
            send(shard, event.vertex(), data);
        }
        if (data == null) {
            dataState.clear();
        } else {
            dataState.update(data);
        }
    }

    private int[] replicas() throws IOException {
        byte[] bytes = replicasState.value();
        return bytes == null ? NOWHERE : ReplicaBytes.read(bytes);
    }

    private void send(int shard, long vertex, byte @Nullable [] data) {
        if (data == null) {
            shards.gone(shard, vertex);
        } else {
            sentData.inc();
            shards.data(shard, vertex, data);
        }
    }

    /** Empties the buffers before the barrier, because they are not part of the state. */
    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        shards.flush();
    }

    @Override
    public void finish() throws Exception {
        shards.flush();
        super.finish();
    }
}
