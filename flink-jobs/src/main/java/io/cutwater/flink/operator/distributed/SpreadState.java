package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.assigner.AlgorithmState;
import io.cutwater.flink.checkpoint.assigner.AssignerState;
import io.cutwater.flink.checkpoint.assigner.RepartitioningCodec;
import io.cutwater.flink.checkpoint.assigner.StoredRepartitioning;
import io.cutwater.kafka.event.EdgeBatchCodec;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.repartition.live.RepartitioningState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * The operator state of the assigners of a distributed job, for the one task that goes on with it. It travels in
 * pieces, each with a message, and is never stored in this form: 1 byte kind, then the bytes that the assigners have
 * stored.
 */
final class SpreadState {
    private static final byte LINEAGE = 0;
    private static final byte ALGORITHM = 1;
    private static final byte BUFFERED = 2;
    private static final byte MOVES = 3;
    private static final byte END = 4;

    private static final int EDGES_PER_PIECE = 64 * 1024;

    private final ListState<byte[]> lineages;
    private final ListState<byte[]> wholeRecords;
    private final ListState<byte[]> withoutOwners;
    private final BufferedVertices bufferedVertices; // the tables have their records, too
    private final AlgorithmState algorithm;
    private final StoredRepartitioning repartitionings;

    /** @param context of a task that is the only one of its operator */
    SpreadState(StateInitializationContext context) throws Exception {
        OperatorStateStore store = context.getOperatorStateStore();
        lineages = store.getListState(RemoteState.LINEAGES);
        wholeRecords = store.getUnionListState(RemoteState.WHOLE_RECORDS);
        withoutOwners = store.getUnionListState(RemoteState.WITHOUT_OWNERS);
        bufferedVertices = new BufferedVertices(context);
        algorithm = AlgorithmState.bySource(store, source -> true, true);
        repartitionings = new StoredRepartitioning(store);
    }

    /** Passes on what there is, in pieces; none if no assigner has left anything. */
    void forEachPiece(Consumer<byte[]> pieces) throws Exception {
        boolean isEmpty = true;
        for (byte[] lineage : lineages.get()) {
            pieces.accept(piece(LINEAGE, lineage));
            isEmpty = false;
        }
        if (isEmpty) {
            return;
        }
        algorithm.pieces().forEach(bytes -> pieces.accept(piece(ALGORITHM, bytes)));
        EdgeBatch buffered = algorithm.buffered();
        for (int from = 0; from < buffered.size(); from += EDGES_PER_PIECE) {
            int to = Math.min(buffered.size(), from + EDGES_PER_PIECE);
            pieces.accept(piece(BUFFERED, EdgeBatchCodec.encode(buffered, from, to)));
        }
        pieces.accept(piece(MOVES, RepartitioningCodec.toBytes(repartitionings.restored())));
        pieces.accept(piece(END, new byte[0]));
    }

    private static byte[] piece(byte kind, byte[] bytes) {
        byte[] piece = new byte[1 + bytes.length];
        piece[0] = kind;
        System.arraycopy(bytes, 0, piece, 1, bytes.length);
        return piece;
    }

    /** Removes it from the state, for a checkpoint after it was passed on. */
    void clear() throws Exception {
        lineages.update(List.of());
        wholeRecords.update(List.of());
        withoutOwners.update(List.of());
        bufferedVertices.clear();
        algorithm.clear();
        repartitionings.clear();
    }

    /** The pieces that have come. */
    static final class Received {
        private final List<AssignerState> assigners = new ArrayList<>();
        private final List<byte[]> algorithm = new ArrayList<>();
        private final EdgeBatch buffered = new EdgeBatch(1);
        private RepartitioningState moves = RepartitioningState.NONE;

        /**
         * Adds a piece; returns whether it was the last one.
         *
         * @param buckets key groups of the job
         */
        boolean add(byte[] piece, int buckets) {
            byte[] bytes = Arrays.copyOfRange(piece, 1, piece.length);
            switch (piece[0]) {
                case LINEAGE -> assigners.add(AssignerState.fromBytes(bytes, buckets));
                case ALGORITHM -> algorithm.add(bytes);
                case BUFFERED -> EdgeBatchCodec.decode(bytes, buffered);
                case MOVES -> moves = RepartitioningCodec.fromBytes(bytes);
                default -> {}
            }
            return piece[0] == END;
        }

        /** Returns one state for each lineage, at least one. */
        List<AssignerState> assigners() {
            return assigners;
        }

        /** Returns the bytes of the algorithm, of all assigners. */
        List<byte[]> algorithm() {
            return algorithm;
        }

        /** Returns the buffered edges, those of each assigner in their order. */
        EdgeBatch buffered() {
            return buffered;
        }

        RepartitioningState moves() {
            return moves;
        }
    }
}
