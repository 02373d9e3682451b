package io.cutwater.state.graph;

/** A cursor over edges, which starts before the first. */
public interface EdgePass extends AutoCloseable {
    /** Goes to the next edge; false if there is none. */
    boolean next();

    /** Slot of one end. */
    int source();

    /** Slot of the other end. */
    int target();

    @Override
    void close();
}
