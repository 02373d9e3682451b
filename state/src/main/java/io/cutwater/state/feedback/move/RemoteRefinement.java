package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.TableRequests;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.repartition.Moves;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the moves that an assigner has chosen ({@link Placement#refine}), of edges or vertices in tables in other
 * tasks, while no re-partitioning makes any. Nothing of it is in a checkpoint: after a crash the moves that were on
 * their way are not made.
 */
final class RemoteRefinement {
    private final RemotePlacement.Engine engine;
    private final TableRequests requests;
    private @Nullable Work work;

    /** Some moves, and how many edges they have moved. */
    private static final class Work {
        private final Placement placement;
        private final TableMover mover;
        private final long counted;
        private long moved;

        Work(Placement placement, TableMover mover, EdgeBatch moves) {
            this.placement = placement;
            this.mover = mover;
            double edges = 0;
            for (int i = 0; i < moves.size(); i++) {
                edges += moves.weight(i);
            }
            counted = (long) edges;
        }

        void end() {
            mover.close();
            placement.madeChosenMoves(moved, counted);
        }
    }

    RemoteRefinement(RemotePlacement.Engine engine, TableRequests requests) {
        this.engine = engine;
        this.requests = requests;
    }

    /** Returns whether {@link #step} has work. */
    boolean hasWork() {
        return work != null || engine.placement().chosenMoves() > 0 && !engine.lacksOwners();
    }

    /**
     * Makes some moves, or asks the tables for what they need.
     *
     * @param mayGoOn whether there is time left, asked before each move
     */
    void step(BooleanSupplier mayGoOn) {
        Work now = work;
        if (now == null) {
            if (!requests.isReady() || !hasWork()) {
                return;
            }
            Placement placement = engine.placement();
            EdgeBatch moves = placement.takeChosenMoves();
            now = new Work(placement, RemotePlacement.mover(engine, requests, Moves.of(moves), true), moves);
            work = now;
        }
        try {
            now.moved += now.mover.step(Long.MAX_VALUE, mayGoOn);
        } catch (IOException e) {
            throw new UncheckedIOException("moves in memory", e);
        }
        if (now.mover.isOver()) {
            close();
        }
    }

    /** Takes a reply of a table. */
    void replied(Views reply) {
        if (work != null) {
            work.mover.replied(reply);
        }
    }

    /** Makes none of the moves that are on their way. */
    void close() {
        if (work != null) {
            work.end();
            work = null;
        }
    }
}
