package io.cutwater.state.edges;

import io.cutwater.state.graph.EdgeBatch;

/**
 * Every placed edge of the graph, so that it can be removed and moved: in the task that places edges
 * ({@link StoredEdges}), or in others ({@link io.cutwater.state.feedback.bucket.RemoteEdges}).
 */
public interface KeptEdges {
    /** The answer of {@link #remove} if there is no such edge. */
    int NO_EDGE = -2;

    /** Returns whether edges are kept with their places, as those of an edge partitioning are. */
    boolean hasPlaces();

    /** Returns whether they are kept in other tasks, which must be asked for an edge before it can move. */
    default boolean areElsewhere() {
        return false;
    }

    /**
     * Keeps one more copy of an edge, the latest.
     *
     * @param partition where it is; in a vertex partitioning {@link EdgeBatch#NO_PLACE}, because the owners of its ends
     *     say it, or its {@link io.cutwater.state.graph.Place} if several assigners keep edges
     * @param key {@link EdgeBatch#NO_KEY} for none
     * @param isNew whether the edge is known to have no copy yet
     */
    void add(long source, long target, int partition, double weight, long timestamp, long key, boolean isNew);

    /**
     * Removes the oldest copy of an edge; {@link #weight()}, {@link #timestamp()} and {@link #key()} then say what it
     * had.
     *
     * @param key of the copy; if none has it, one without a key is removed. {@link EdgeBatch#NO_KEY} for any
     * @return what {@link #add} was given as its partition; {@link #NO_EDGE} if there is no copy
     */
    int remove(long source, long target, long key);

    /**
     * Gives the oldest copy of an edge that is on a partition another one; {@link #weight()}, {@link #timestamp()} and
     * {@link #key()} then say what it has. False if there is none.
     */
    boolean move(long source, long target, int from, int to);

    /**
     * Takes down that the owner of an end of an edge has changed, of which all copies move, if edges of a vertex
     * partitioning are kept with places.
     *
     * @param from, to {@link io.cutwater.state.graph.Place}
     */
    default void moved(long source, long target, long key, int from, int to) {
        throw new UnsupportedOperationException("edges are not kept with the owners of their ends");
    }

    /** Returns the weight of the copy that was removed or moved last; {@link Double#NaN} for none. */
    double weight();

    /** Returns the timestamp of the copy that was removed or moved last; {@link EdgeBatch#NO_TIMESTAMP} for none. */
    long timestamp();

    /** Returns the key of the copy that was removed or moved last; {@link EdgeBatch#NO_KEY} for none. */
    long key();

    /** Appends the edges that lead from a vertex, each copy, with their places if they have some. */
    void outgoing(long vertex, EdgeBatch into);

    /**
     * Appends edges that lead from a vertex or to it, without weights; one with many copies may come several times.
     *
     * @param limit edges at most, at least 1; if there are fewer, these are all
     * @throws UnsupportedOperationException if edges are not found by both of their ends
     */
    void incident(long vertex, int limit, EdgeBatch into);

    /**
     * Shows the edges of a vertex of a vertex partitioning, those that lead from it and those that lead to it.
     *
     * @param chunk receives some thousand at a time
     * @param isFull told each time, and a last time; it must empty the chunk
     */
    void forEach(long vertex, EdgeBatch chunk, Runnable isFull);
}
