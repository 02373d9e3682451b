package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.assigner.AlgorithmState;
import io.cutwater.flink.checkpoint.assigner.RepartitioningCodec;
import io.cutwater.flink.checkpoint.assigner.StoredRepartitioning;
import io.cutwater.flink.checkpoint.assigner.Totals;
import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.kafka.event.EdgeBatchCodec;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.repartition.live.RepartitioningState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToIntFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.jspecify.annotations.Nullable;

/**
 * The operator state of a job of one task beside its vertices. The vertex tables have the uid of that task, so after a
 * change to the distributed topology each table has a part of it, which it hands to the assigners with its first
 * greeting. It is gone from the state after that.
 */
final class FusedState {
    private final ListState<byte[]> totalsState;
    private final AlgorithmState algorithm;
    private final StoredRepartitioning repartitionings;
    private byte @Nullable [] totals;

    /** @throws SuppressRestartsException if the job of one task has re-partitioned in an earlier build */
    FusedState(OperatorStateStore store) throws Exception {
        totalsState = store.getListState(Totals.STATE);
        for (byte[] bytes : totalsState.get()) {
            totals = bytes;
        }
        algorithm = new AlgorithmState(store);
        repartitionings = new StoredRepartitioning(store);
        RepartitioningState restored = repartitionings.restored();
        if (restored.generation() > 0 && repartitionings.isOfEarlierBuild()) {
            throw FinalFailure.of("the savepoint is of a job of one task of an earlier build that has moved"
                    + " edges between partitions; resume it without --parallelism, --assigners and --topology, and what"
                    + " the job stops with then with them");
        }
    }

    /** Returns the number of partitions if the job of one task has re-partitioned; else that of the options. */
    int partitions(int ofOptions) {
        RepartitioningState restored = repartitionings.restored();
        return restored.generation() > 0 && restored.partitions() > 0 ? restored.partitions() : ofOptions;
    }

    /** The part of an assigner. Travels with an answer and is never stored. */
    record Part(
            @Nullable Totals totals, RepartitioningState repartitionings, List<byte[]> algorithm, EdgeBatch buffered) {
        /** Decodes a part. */
        static Part fromBytes(byte[] bytes) {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            byte[] totals = next(in);
            byte[] buffered = next(in);
            byte[] repartitionings = next(in);
            List<byte[]> algorithm = new ArrayList<>();
            while (in.hasRemaining()) {
                algorithm.add(next(in));
            }
            EdgeBatch edges = new EdgeBatch(1);
            if (buffered.length > 0) {
                EdgeBatchCodec.decode(buffered, edges);
            }
            return new Part(
                    totals.length == 0 ? null : Totals.fromBytes(totals),
                    repartitionings.length == 0
                            ? RepartitioningState.NONE
                            : RepartitioningCodec.fromBytes(repartitionings),
                    algorithm,
                    edges);
        }

        private static byte[] next(ByteBuffer in) {
            byte[] bytes = new byte[in.getInt()];
            in.get(bytes);
            return bytes;
        }
    }

    /**
     * Returns the bytes of the part of an assigner, null for nothing. All get the re-partitionings, from each table,
     * and the first one gets everything else but buffered edges.
     *
     * @param assignerOf returns the assigner of an edge by its source
     */
    byte @Nullable [] part(int assigner, LongToIntFunction assignerOf) {
        EdgeBatch all = algorithm.buffered();
        EdgeBatch own = new EdgeBatch(1);
        for (int i = 0; i < all.size(); i++) {
            if (assignerOf.applyAsInt(all.source(i)) == assigner) {
                own.addFrom(all, i);
            }
        }
        List<byte[]> pieces = new ArrayList<>();
        byte[] ofAll = totals;
        pieces.add(ofAll == null || assigner > 0 ? new byte[0] : ofAll);
        pieces.add(own.isEmpty() ? new byte[0] : EdgeBatchCodec.encode(own, 0, own.size()));
        RepartitioningState moves = repartitionings.restored();
        boolean hasMoves = moves.generation() > 0
                || moves.running() != null
                || moves.ownRounds() > 0
                || !moves.over().isEmpty();
        pieces.add(hasMoves ? RepartitioningCodec.toBytes(moves) : new byte[0]);
        if (assigner == 0) {
            pieces.addAll(algorithm.pieces());
        }
        int length = 0;
        for (byte[] piece : pieces) {
            length = Math.addExact(length, Integer.BYTES + piece.length);
        }
        if (length == 3 * Integer.BYTES) {
            return null;
        }
        ByteBuffer out = ByteBuffer.allocate(length);
        pieces.forEach(piece -> out.putInt(piece.length).put(piece));
        return out.array();
    }

    /** Returns the buffered edges. */
    EdgeBatch buffered() {
        return algorithm.buffered();
    }

    /** Removes it from the state, for a checkpoint after it was handed over. */
    void clear() throws Exception {
        totalsState.update(List.of());
        algorithm.clear();
        repartitionings.clear();
    }
}
