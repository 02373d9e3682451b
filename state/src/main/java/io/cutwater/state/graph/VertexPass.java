package io.cutwater.state.graph;

import io.cutwater.state.PublicApi;

/**
 * A cursor over vertices, which starts before the first. The neighbours of the current vertex are the entries
 * {@link #from} to {@link #to} − 1 of an array that is good until the next step, and not to be written to.
 */
@PublicApi
public interface VertexPass extends AutoCloseable {
    /** Goes to the next vertex; returns false if there is none. */
    boolean next();

    /** The slot of the present vertex. */
    int vertex();

    int[] neighbours();

    int from();

    int to();

    @Override
    void close();
}
