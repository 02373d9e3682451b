package io.cutwater.flink.operator;

import io.cutwater.flink.checkpoint.KeyedAdjacency;
import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.flink.checkpoint.VertexBuckets;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.state.edges.EdgesByKey;
import io.cutwater.state.graph.EdgeBatch;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

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
    private static final ListStateDescriptor<byte[]> COUNTS = BeginningState.describe("counts");

    private static final byte VERSION = 1;

    /** 13 million keys; of more, some are looked for in vain. */
    private static final long FILTER_BYTES = 16 << 20;

    private final boolean removesVertices;

    // Runtime, created in every attempt.
    private transient BeginningState counts;
    private transient VertexBuckets buckets;
    private transient KeyedVertexStore store;
    private transient @Nullable KeyedAdjacency byVertex;
    private transient EdgesByKey edges;
    private transient EdgeBatch changes;
    // The first bucket whose keys the filter does not know since the restoration.
    private transient int unread;

    /** @param removesVertices whether vertices can be removed; the same for all attempts */
    public EdgeKeysOperator(boolean removesVertices) {
        this.removesVertices = removesVertices;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        counts = new BeginningState(context, COUNTS, VERSION, "edges by key");
        ByteBuffer before = counts.required("--edge-key", "it does not know the keys of its edges");
        long repeated = before == null ? 0 : before.getLong();
        long unknown = before == null ? 0 : before.getLong();
        int maxParallelism = getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks();
        buckets = new VertexBuckets(maxParallelism);
        store = new KeyedVertexStore(context.getKeyedStateStore().getMapState(EDGES), buckets, this::setCurrentKey);
        KeyedStateBackend<Integer> backend = getKeyedStateBackend();
        byVertex = removesVertices ? KeyedAdjacency.over(backend, buckets, this::setCurrentKey) : null;
        edges = new EdgesByKey(store, repeated, unknown, FILTER_BYTES, byVertex);
        unread = context.isRestored() ? 0 : buckets.count();
        if (context.isRestored()) {
            edges.restoring(key -> buckets.bucket(key) >= unread);
        }
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
        if (unread < buckets.count()) {
            readOn();
        }
        EdgeBatch rows = element.getValue();
        changes.startLike(rows);
        int from = 0;
        for (int i = 0; rows.hasRemovals() && i < rows.size(); i++) {
            if (rows.isRemovalOfAll(i)) {
                emit(element, part(rows, from, i));
                removeAll(element);
                from = i + 1;
            } else if (rows.isVertexRemoval(i)) {
                emit(element, part(rows, from, i));
                edges.removeVertex(rows.source(i), changes);
                emit(element);
                from = i + 1;
            }
        }
        edges.apply(from == 0 ? rows : part(rows, from, rows.size()), changes);
        if (changes.hasAny()) {
            output.collect(element.replace(changes));
        }
    }

    /** Tells the filter the restored keys of one more bucket: a part of them at a time, so that the stream goes on. */
    private void readOn() {
        for (long key : store.vertices(unread)) {
            edges.restored(key);
        }
        if (++unread == buckets.count()) {
            edges.restoredAll();
        }
    }

    private static EdgeBatch part(EdgeBatch rows, int from, int to) {
        EdgeBatch part = new EdgeBatch();
        for (int i = from; i < to; i++) {
            part.addFrom(rows, i);
        }
        return part;
    }

    /** Removes the edges of all keys, in batches, so that memory holds the keys of one bucket only. */
    private void removeAll(StreamRecord<EdgeBatch> element) {
        EdgeBatch removals = new EdgeBatch();
        for (int bucket = 0; bucket < buckets.count(); bucket++) {
            long[] keys = store.vertices(bucket);
            for (int from = 0; from < keys.length; from += EdgeBatch.DEFAULT_CAPACITY) {
                removals.clear();
                for (int i = from; i < Math.min(keys.length, from + EdgeBatch.DEFAULT_CAPACITY); i++) {
                    removals.add(0, 0);
                    removals.setRemoval(removals.size() - 1);
                    removals.setKey(removals.size() - 1, keys[i]);
                }
                emit(element, removals);
            }
        }
    }

    /** Applies rows before the last part; the rejected records and texts of the element go with the first part. */
    private void emit(StreamRecord<EdgeBatch> element, EdgeBatch rows) {
        edges.apply(rows, changes);
        emit(element);
    }

    private void emit(StreamRecord<EdgeBatch> element) {
        if (changes.hasAny()) {
            EdgeBatch emitted = changes;
            // Another one: what an operator behind this one holds is not written again.
            changes = new EdgeBatch().setPass(emitted.pass()).setProgress(emitted.progress());
            output.collect(element.copy(emitted));
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        if (byVertex != null) {
            byVertex.flush();
        }
        counts.update(edges.repeated(), edges.unknownRemovals());
    }
}
