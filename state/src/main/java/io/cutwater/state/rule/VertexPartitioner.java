package io.cutwater.state.rule;

/**
 * Chooses a partition for one vertex at a time, from its neighbours and from where they are. Like an edge partitioner
 * it knows neither Flink nor Kafka nor time.
 *
 * <p>The input comes in passes, and {@link #pass} says what each of them has to show: the edges in their order, or the
 * vertices in theirs, each with all its neighbours. The caller writes the answers of {@link #place} into the placement.
 */
public non-sealed interface VertexPartitioner extends BulkRule {
    /** The answer to {@link #place} that leaves a vertex where it is, or without a place until a later pass. */
    int LATER = -2;

    /** What a pass over the input is for. */
    enum Pass {
        /** {@link #observeEdge} for every edge. */
        EDGES,
        /** {@link #observe} for every vertex. */
        VERTICES,
        /** {@link #place} for every vertex; one that has a place already moves to the answer. */
        PLACE,
        /** There is no further pass: every vertex has its place. */
        DONE
    }

    /**
     * What the next pass is for; asked once before each, in order.
     *
     * @param number passes made so far
     */
    default Pass pass(int number, VertexPlacement placement) {
        return number == 0 ? Pass.PLACE : Pass.DONE;
    }

    /** Sees an edge, in a pass of edges. */
    default void observeEdge(int source, int target) {
        throw new IllegalStateException("this algorithm has no pass of edges");
    }

    /** Sees a vertex, in a pass of vertices; the arguments are those of {@link #place}. */
    default void observe(int vertex, int[] neighbours, int from, int to) {
        throw new IllegalStateException("this algorithm has no pass of vertices");
    }

    /**
     * The partition of a vertex.
     *
     * @param vertex 0 to n − 1
     * @param neighbours its neighbours are the entries {@code from} to {@code to} − 1: one for each edge, so that
     *     duplicates stay duplicates, and two for a self-loop
     * @param placement where the vertices before it are, and where this one is if it has a place
     * @return 0 to k − 1, or {@link #LATER}
     */
    int place(int vertex, int[] neighbours, int from, int to, VertexPlacement placement);
}
