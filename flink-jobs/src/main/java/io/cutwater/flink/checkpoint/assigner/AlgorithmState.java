package io.cutwater.flink.checkpoint.assigner;

import io.cutwater.flink.connector.restore.FinalFailure;
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
import org.apache.flink.runtime.execution.SuppressRestartsException;

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
    private final List<byte[]> pieces = new ArrayList<>();
    private final EdgeBatch buffered = new EdgeBatch();

    public AlgorithmState(OperatorStateStore store) throws Exception {
        this(store, store.getListState(WAITING), source -> true);
    }

    private AlgorithmState(OperatorStateStore store, ListState<byte[]> waiting, LongPredicate isOwn) throws Exception {
        algorithm = store.getListState(ALGORITHM);
        this.waiting = waiting;
        algorithm.get().forEach(pieces::add);
        EdgeBatch all = new EdgeBatch();
        for (byte[] piece : waiting.get()) {
            EdgeBatchCodec.decode(piece, all);
        }
        for (int i = 0; i < all.size(); i++) {
            if (isOwn.test(all.source(i))) {
                buffered.addFrom(all, i);
            }
        }
    }

    /**
     * The state of an assigner of a job that keeps edges, of which there may be several: each buffers the edges from
     * vertices of its own; with another number of assigners they are others'.
     *
     * @param isOwn tells whether the edges from a vertex are this assigner's
     * @param isOnly whether there is one assigner
     * @throws SuppressRestartsException if one assigner of an earlier build has buffered edges, and several go on
     */
    public static AlgorithmState bySource(OperatorStateStore store, LongPredicate isOwn, boolean isOnly)
            throws Exception {
        AlgorithmState state = new AlgorithmState(store, store.getUnionListState(WAITING_BY_SOURCE), isOwn);
        ListState<byte[]> ofOne = store.getListState(WAITING);
        for (byte[] piece : ofOne.get()) {
            if (!isOnly) {
                throw FinalFailure.of("the savepoint of one assigner is of an earlier build; resume it with"
                        + " --assigners 1, and what the job stops with then with more");
            }
            EdgeBatchCodec.decode(piece, state.buffered);
        }
        ofOne.update(List.of());
        return state;
    }

    /** Returns the buffered edges of the checkpoint, the oldest first. */
    public EdgeBatch buffered() {
        return buffered;
    }

    /** @throws IllegalStateException if another algorithm wrote it */
    public void restore(Placement placement) {
        placement.restore(pieces, buffered);
    }

    /** Returns the bytes of the algorithm. */
    public List<byte[]> pieces() {
        return pieces;
    }

    /** Removes everything from the state. */
    public void clear() throws Exception {
        algorithm.update(List.of());
        waiting.update(List.of());
    }

    public void update(Placement placement) throws Exception {
        algorithm.update(placement.snapshot());
        EdgeBatch edges = placement.heldEdges();
        List<byte[]> ofEdges = new ArrayList<>();
        for (int from = 0; from < edges.size(); from += EDGES_PER_PIECE) {
            ofEdges.add(EdgeBatchCodec.encode(edges, from, Math.min(edges.size(), from + EDGES_PER_PIECE)));
        }
        waiting.update(ofEdges);
    }
}
