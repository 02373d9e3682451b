package io.cutwater.flink.operator;

import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.flink.checkpoint.VertexBuckets;
import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.state.edges.EdgesByKey;
import io.cutwater.state.graph.EdgeBatch;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Turns rows with keys into edges and removals of edges, by the edge of each key in its state ({@link EdgesByKey}). It
 * has parallelism 1, so that the order of the input decides.
 *
 * <p>A runtime operator, because one element touches the state of many keys; see {@link AssignerOperator}.
 */
public final class EdgeKeysOperator extends AbstractStreamOperator<EdgeBatch>
        implements OneInputStreamOperator<EdgeBatch, EdgeBatch> {
    /** User key = key of the edge, value = the bytes of {@link EdgesByKey}. */
    private static final MapStateDescriptor<Long, byte[]> EDGES =
            new MapStateDescriptor<>("edges-by-key", LongSerializer.INSTANCE, BytePrimitiveArraySerializer.INSTANCE);

    /** Version (1 byte), edges so far that changed nothing, removals of keys without an edge (8 bytes each). */
    private static final ListStateDescriptor<byte[]> COUNTS =
            new ListStateDescriptor<>("counts", BytePrimitiveArraySerializer.INSTANCE);

    private static final byte VERSION = 1;

    // Runtime, created in every attempt.
    private transient ListState<byte[]> countsState;
    private transient EdgesByKey edges;
    private transient EdgeBatch changes;

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        countsState = context.getOperatorStateStore().getListState(COUNTS);
        long repeated = 0;
        long unknown = 0;
        boolean isOwnState = !context.isRestored();
        for (byte[] bytes : countsState.get()) {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            byte version = in.get();
            if (version != VERSION) {
                throw new IllegalStateException(
                        "edges by key of version %d; this build reads %d".formatted(version, VERSION));
            }
            repeated = in.getLong();
            unknown = in.getLong();
            isOwnState = true;
        }
        if (!isOwnState) {
            throw FinalFailure.of("the job began without --edge-key, so it does not know the keys of its edges; leave"
                    + " --edge-key out, or submit a new job with another --topic-prefix");
        }
        int maxParallelism = getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks();
        KeyedVertexStore store = new KeyedVertexStore(
                context.getKeyedStateStore().getMapState(EDGES),
                new VertexBuckets(maxParallelism),
                this::setCurrentKey);
        edges = new EdgesByKey(store, repeated, unknown);
    }

    @Override
    public void open() throws Exception {
        super.open();
        changes = new EdgeBatch();
        MetricGroup metrics = getMetricGroup().addGroup("cutwater");
        metrics.gauge("repeatedEdges", (Gauge<Long>) edges::repeated);
        metrics.gauge("unknownKeys", (Gauge<Long>) edges::unknownRemovals);
    }

    @Override
    public void processElement(StreamRecord<EdgeBatch> element) {
        EdgeBatch rows = element.getValue();
        changes.startLike(rows);
        edges.apply(rows, changes);
        if (changes.hasAny()) {
            output.collect(element.replace(changes));
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        countsState.update(List.of(ByteBuffer.allocate(1 + 2 * Long.BYTES)
                .put(VERSION)
                .putLong(edges.repeated())
                .putLong(edges.unknownRemovals())
                .array()));
    }
}
