package io.cutwater.state.feedback.bucket;

import io.cutwater.state.graph.EdgeBatch;

/** Lays changes that a table has not confirmed over the edges of a vertex that it has told. */
final class EdgeOverlay {
    private EdgeOverlay() {}

    /**
     * Applies changes to the edges of a vertex. A removed edge gets the place {@link EdgeBatch#TAKEN_AWAY}.
     *
     * @param own the edges of the vertex, each copy in the order of its arrival
     */
    static void lay(EdgeBatch changes, long vertex, EdgeBatch own) {
        for (int i = 0; i < changes.size(); i++) {
            if (changes.source(i) != vertex && changes.target(i) != vertex) {
                continue;
            }
            if (UnconfirmedMoves.isMove(changes, i)) {
                setPlace(own, changes, i, UnconfirmedMoves.movedFrom(changes, i), changes.place(i));
            } else if (!changes.isRemoval(i)) {
                own.addFrom(changes, i);
            } else if (BucketEdges.takesAway(changes, i)) {
                setPlace(own, changes, i, EdgeBatch.NO_PLACE, EdgeBatch.TAKEN_AWAY);
            }
        }
    }

    /** @param from place of the copy that is meant, the oldest one; {@link EdgeBatch#NO_PLACE} for any */
    private static void setPlace(EdgeBatch own, EdgeBatch changes, int change, int from, int to) {
        for (int i = 0; i < own.size(); i++) {
            boolean isCopy = own.source(i) == changes.source(change)
                    && own.target(i) == changes.target(change)
                    && own.place(i) != EdgeBatch.TAKEN_AWAY;
            boolean hasKey = changes.key(change) == EdgeBatch.NO_KEY || own.key(i) == changes.key(change);
            // The tables move copies whatever their keys are, because all of them move.
            if (isCopy && (from == EdgeBatch.NO_PLACE ? hasKey : own.place(i) == from)) {
                own.setPlace(i, to);
                return;
            }
        }
    }
}
