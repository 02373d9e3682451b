package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.assigner.AlgorithmState;
import io.cutwater.flink.checkpoint.assigner.StoredRepartitioning;
import io.cutwater.flink.checkpoint.assigner.Totals;
import io.cutwater.kafka.event.EdgeBatchCodec;
import io.cutwater.state.graph.EdgeBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToIntFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.jspecify.annotations.Nullable;

/**
 * The operator state of a job of one task beside its vertices. The vertex tables have the uid of that task, so after a
 * change to the distributed topology each table has a part of it, which it hands to the assigners with its first
 * greeting. It is gone from the state after that.
 */
final class FusedState {
    private final ListState<byte[]> totalsState;
    private final AlgorithmState algorithm;
    private byte @Nullable [] totals;

    /** @throws IllegalStateException if the job of one task has moved edges */
    FusedState(OperatorStateStore store) throws Exception {
        totalsState = store.getListState(Totals.STATE);
        for (byte[] bytes : totalsState.get()) {
            totals = bytes;
        }
        algorithm = new AlgorithmState(store);
        if (new StoredRepartitioning(store, false).restored().generation() > 0) {
            throw new IllegalStateException("the savepoint is of a job of one task that has moved edges between"
                    + " partitions; resume it without --parallelism, --assigners and --topology");
        }
    }

    /** The part of an assigner. Travels with an answer and is never stored. */
    record Part(@Nullable Totals totals, List<byte[]> algorithm, EdgeBatch buffered) {
        /** Decodes a part. */
        static Part fromBytes(byte[] bytes) {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            byte[] totals = next(in);
            byte[] buffered = next(in);
            List<byte[]> algorithm = new ArrayList<>();
            while (in.hasRemaining()) {
                algorithm.add(next(in));
            }
            EdgeBatch edges = new EdgeBatch(1);
            if (buffered.length > 0) {
                EdgeBatchCodec.decode(buffered, edges);
            }
            return new Part(totals.length == 0 ? null : Totals.fromBytes(totals), algorithm, edges);
        }

        private static byte[] next(ByteBuffer in) {
            byte[] bytes = new byte[in.getInt()];
            in.get(bytes);
            return bytes;
        }
    }

    /**
     * Returns the bytes of the part of an assigner, null for nothing. The first one gets everything but buffered edges.
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
        if (assigner == 0) {
            pieces.addAll(algorithm.pieces());
        }
        int length = 0;
        for (byte[] piece : pieces) {
            length = Math.addExact(length, Integer.BYTES + piece.length);
        }
        if (length == 2 * Integer.BYTES) {
            return null;
        }
        ByteBuffer out = ByteBuffer.allocate(length);
        pieces.forEach(piece -> out.putInt(piece.length).put(piece));
        return out.array();
    }

    /** Removes it from the state, for a checkpoint after it was handed over. */
    void clear() throws Exception {
        totalsState.update(List.of());
        algorithm.clear();
    }
}
