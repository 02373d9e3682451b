package io.cutwater.state.graph;

import io.cutwater.state.PublicApi;

/**
 * A whole graph that is read in passes, over its edges in the order of the input or over its vertices with their
 * neighbours. Vertices are slots 0 to n − 1. A pass that cannot read throws {@link java.io.UncheckedIOException}.
 *
 * <p>Duplicate edges stay duplicates. A self-loop stands twice in its vertex's list of neighbours, so that the length
 * of a list is the vertex's degree and all lists together have 2 m entries. Neighbours are in the order of the edges.
 */
@PublicApi
public interface BoundedGraph {
    /** n. */
    int vertexCount();

    /** m. */
    long edgeCount();

    /** The id of a vertex. */
    long vertex(int slot);

    int degree(int slot);

    /** Begins a pass over the edges. */
    EdgePass edges();

    /** Begins a pass over the vertices in ascending order of their slots. */
    VertexPass vertices();
}
