package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.Views;
import io.cutwater.state.repartition.live.EdgeMover;

/** Makes moves of what is in tables in other tasks. */
sealed interface TableMover extends EdgeMover permits OwnerMover, RemoteMover, VertexMover {
    /** Takes a reply of a table, if it is one to a request of these moves. */
    void replied(Views reply);

    /** Moves an edge, or a vertex; returns the edges that changed a shard. */
    @FunctionalInterface
    interface Move {
        long make(long source, long target, int from, int to);
    }
}
