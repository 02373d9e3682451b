package io.cutwater.flink.checkpoint.assigner;

import io.cutwater.kafka.event.EdgeBatchCodec;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.placement.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;

/**
 * State of an algorithm besides vertices and totals, as operator state of the one assigner: its own bytes
 * ({@link Placement#snapshot}), and the buffered edges, in the bytes of {@link EdgeBatchCodec}, the oldest first. A
 * buffered edge is in no shard yet: the checkpoint holds it instead.
 */
public final class AlgorithmState {
    private static final ListStateDescriptor<byte[]> ALGORITHM =
            new ListStateDescriptor<>("algorithm", BytePrimitiveArraySerializer.INSTANCE);
    private static final ListStateDescriptor<byte[]> WAITING =
            new ListStateDescriptor<>("waiting-edges", BytePrimitiveArraySerializer.INSTANCE);
    /** Those of several assigners that keep edges. */
    private static final ListStateDescriptor<byte[]> WAITING_BY_SOURCE =
            new ListStateDescriptor<>("waiting-edges-by-source", BytePrimitiveArraySerializer.INSTANCE);

    private static final int EDGES_PER_PIECE = 64 * 1024;

    private final ListState<byte[]> algorithm;
    private final ListState<byte[]> waiting;
    private final LongPredicate isOwn;

    public AlgorithmState(OperatorStateStore store) throws Exception {
        this(store, store.getListState(WAITING), source -> true);
    }

    private AlgorithmState(OperatorStateStore store, ListState<byte[]> waiting, LongPredicate isOwn) throws Exception {
        algorithm = store.getListState(ALGORITHM);
        this.waiting = waiting;
        this.isOwn = isOwn;
    }

    /**
     * The state of one of several assigners, each of which buffers the edges from vertices of its own; with another
     * number of assigners they are others'.
     *
     * @param isOwn tells whether the edges from a vertex are this assigner's
     */
    public static AlgorithmState bySource(OperatorStateStore store, LongPredicate isOwn) throws Exception {
        return new AlgorithmState(store, store.getUnionListState(WAITING_BY_SOURCE), isOwn);
    }

    /** @throws IllegalStateException if another algorithm wrote it */
    public void restore(Placement placement) throws Exception {
        List<byte[]> pieces = new ArrayList<>();
        algorithm.get().forEach(pieces::add);
        EdgeBatch all = new EdgeBatch();
        for (byte[] piece : waiting.get()) {
            EdgeBatchCodec.decode(piece, all);
        }
        EdgeBatch edges = new EdgeBatch();
        for (int i = 0; i < all.size(); i++) {
            if (isOwn.test(all.source(i))) {
                edges.addFrom(all, i);
            }
        }
        placement.restore(pieces, edges);
    }

    public void update(Placement placement) throws Exception {
        algorithm.update(placement.snapshot());
        EdgeBatch edges = placement.heldEdges();
        List<byte[]> pieces = new ArrayList<>();
        for (int from = 0; from < edges.size(); from += EDGES_PER_PIECE) {
            pieces.add(EdgeBatchCodec.encode(edges, from, Math.min(edges.size(), from + EDGES_PER_PIECE)));
        }
        waiting.update(pieces);
    }
}
