package io.cutwater.state.graph;

import io.cutwater.state.PublicApi;

/** A cursor over edges, which starts before the first. */
@PublicApi
public interface EdgePass extends AutoCloseable {
    /** Goes to the next edge; returns false if there is none. */
    boolean next();

    /** Slot of one end. */
    int source();

    /** Slot of the other end. */
    int target();

    @Override
    void close();
}
