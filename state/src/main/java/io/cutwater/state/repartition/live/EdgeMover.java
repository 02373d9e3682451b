package io.cutwater.state.repartition.live;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Makes the moves of a plan, in their order. */
public interface EdgeMover {
    /**
     * Makes some moves, or none if what they need is not at hand yet.
     *
     * @param limit edges that may change their shard, at least 1; the last move may exceed it
     * @param mayGoOn whether there is time left, asked before each move
     * @return edges that changed their shard
     */
    long step(long limit, BooleanSupplier mayGoOn) throws IOException;

    /** Returns whether every move was made. */
    boolean isOver();

    /** Ends it, also before it is over; what has moved stays where it is. */
    void close();
}
