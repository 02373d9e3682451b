package io.cutwater.flink.operator;

import io.cutwater.flink.checkpoint.KeyedEdgeStore;
import io.cutwater.flink.checkpoint.VertexBuckets;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.state.edges.DistinctEdges;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.graph.EdgeBatch;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Passes only the first of equal edges, in every pass. It has parallelism 1, because the order of the input decides
 * which one is the first.
 *
 * <p>A runtime operator, because one element touches the state of many keys; see {@link AssignerOperator}.
 */
public final class DropDuplicatesOperator extends AbstractStreamOperator<EdgeBatch>
        implements OneInputStreamOperator<EdgeBatch, EdgeBatch>, BoundedOneInput {
    /** Accumulator of the duplicate edges of the input. */
    public static final String DUPLICATES = "cutwater-duplicates";

    /** Memory of the filter and of the latest edges: 64 MiB, and 32 MiB while it is full. */
    private static final long FILTER_BYTES = 64 << 20;

    private static final int LATEST_EDGES = 1 << 20;

    /** Version (1 byte), pass (4 bytes), duplicates so far (8 bytes). */
    private static final ListStateDescriptor<byte[]> PLACE =
            new ListStateDescriptor<>("place", BytePrimitiveArraySerializer.INSTANCE);

    private static final byte VERSION = 1;

    private final DuplicateRule rule;
    private final int latestEdges;
    private final long filterBytes;

    // Runtime, created in every attempt.
    private transient ListState<byte[]> placeState;
    private transient DistinctEdges edges;
    private transient LongCounter counter;

    public DropDuplicatesOperator(DuplicateRule rule) {
        this(rule, LATEST_EDGES, FILTER_BYTES);
    }

    /** @param latestEdges and {@code filterBytes} as of {@link DistinctEdges#over} */
    DropDuplicatesOperator(DuplicateRule rule, int latestEdges, long filterBytes) {
        this.rule = rule;
        this.latestEdges = latestEdges;
        this.filterBytes = filterBytes;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        placeState = context.getOperatorStateStore().getListState(PLACE);
        int pass = 0;
        long duplicates = 0;
        for (byte[] bytes : placeState.get()) {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            byte version = in.get();
            if (version != VERSION) {
                throw new IllegalStateException(
                        "duplicates of version %d; this build reads %d".formatted(version, VERSION));
            }
            pass = in.getInt();
            duplicates = in.getLong();
        }
        int maxParallelism = getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks();
        KeyedEdgeStore store = new KeyedEdgeStore(
                context.getKeyedStateStore(), new VertexBuckets(maxParallelism), this::setCurrentKey);
        edges = DistinctEdges.over(store, rule, latestEdges, filterBytes, pass, duplicates);
        if (context.isRestored()) {
            store.forEach((source, target, seenIn) -> {
                if (seenIn == edges.pass()) {
                    edges.restored(source, target);
                }
            });
        }
    }

    @Override
    public void open() throws Exception {
        super.open();
        // Each attempt counts from what its checkpoint says, and only that of the last one remains.
        counter = new LongCounter(edges.duplicates());
        getRuntimeContext().addAccumulator(DUPLICATES, counter);
        getMetricGroup().addGroup("cutwater").gauge("duplicates", (Gauge<Long>) edges::duplicates);
    }

    @Override
    public void processElement(StreamRecord<EdgeBatch> element) {
        output.collect(element.replace(edges.of(element.getValue())));
    }

    /** New edges must be in the keyed state before it is snapshotted. */
    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        edges.flush();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        byte[] place = ByteBuffer.allocate(1 + Integer.BYTES + Long.BYTES)
                .put(VERSION)
                .putInt(edges.pass())
                .putLong(edges.duplicates())
                .array();
        placeState.update(List.of(place));
    }

    @Override
    public void endInput() {
        counter.add(edges.duplicates() - counter.getLocalValuePrimitive());
    }
}
