package io.cutwater.state.rule;

import io.cutwater.state.PublicApi;
import io.cutwater.state.graph.BoundedGraph;

/**
 * Chooses a partition for one vertex of a whole graph at a time, from its neighbours and their places. It does not
 * depend on Flink, Kafka or time.
 *
 * <p>The graph is read in passes. {@link #pass} returns what each pass reads: the edges in order, or the vertices in
 * order, each with all its neighbours. The caller writes the results of {@link #place} into the placement.
 */
@PublicApi
public non-sealed interface VertexPartitioner extends BulkRule {
    /** The result of {@link #place} that leaves a vertex where it is, or without a place until a later pass. */
    int LATER = -2;

    /** The purpose of a pass. */
    enum Pass {
        /** {@link #observeEdge} for every edge. */
        EDGES,
        /** {@link #observe} for every vertex. */
        VERTICES,
        /** {@link #place} for every vertex; a vertex that has a place moves to the result. */
        PLACE,
        /** There is no further pass: every vertex has its place. */
        DONE
    }

    /**
     * Returns the rule for a part of the graph, which is called in the thread of the part; for algorithms that can
     * ({@link io.cutwater.state.algorithm.Ability#PARTS}).
     */
    default VertexPartitioner ofPart(BoundedGraph part) {
        throw new IllegalStateException("this algorithm places whole graphs only");
    }

    /**
     * Returns the purpose of the next pass; called once before each.
     *
     * @param number passes completed so far
     */
    default Pass pass(int number, VertexPlacement placement) {
        return number == 0 ? Pass.PLACE : Pass.DONE;
    }

    /** Processes an edge, in a pass of edges. */
    default void observeEdge(int source, int target) {
        throw new IllegalStateException("this algorithm has no pass of edges");
    }

    /** Processes a vertex, in a pass of vertices; the arguments are those of {@link #place}. */
    default void observe(int vertex, int[] neighbours, int from, int to) {
        throw new IllegalStateException("this algorithm has no pass of vertices");
    }

    /**
     * Returns the partition of a vertex.
     *
     * @param vertex 0 to n − 1
     * @param neighbours the entries {@code from} to {@code to} − 1: one for each edge, and two for a self-loop
     * @param placement places of all vertices so far, this one included
     * @return 0 to k − 1, or {@link #LATER}
     */
    int place(int vertex, int[] neighbours, int from, int to, VertexPlacement placement);
}
