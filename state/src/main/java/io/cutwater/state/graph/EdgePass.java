package io.cutwater.state.graph;

/** Stands on one edge after the other; before the first at the beginning. */
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
