package io.cutwater.state.placement;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.quality.Quality;
import java.util.List;

/**
 * The placement engine: places the edges of a stream batch by batch and updates the tables, for edge and vertex
 * partitioning. An edge may be buffered, within a bound, until more is known of its endpoints.
 *
 * <p>If edges are kept ({@link io.cutwater.state.edges.KeptEdges}), they can be removed and moved, and partitions can
 * be closed. A removal deletes the oldest copy of its edge, from its shards or from the buffer. Removals apply in the
 * order of the stream. A removal of an unknown edge has no effect and is counted. A vertex without placed and buffered
 * edges leaves the table.
 */
public interface StreamAssigner {
    /**
     * Processes the next batch: places its edges or buffers them, and places the buffered edges that they release. In a
     * preparation pass, whose number the batch has, no edge is placed.
     *
     * @throws IllegalStateException if the batch has removals and no edges are kept
     */
    void accept(EdgeBatch batch, PlacedEdges into);

    /** Returns whether edges are kept, so that they can be removed and moved. */
    boolean keepsEdges();

    /** Returns whether partitions can be closed, and a snapshot restored for another number of them. */
    boolean canChangePartitions();

    /** Returns the number of removals of unknown edges since this assigner was created. */
    long unknownRemovals();

    /**
     * Moves an edge (edge partitioning), or a vertex with all of its edges (vertex partitioning). {@code into} receives
     * each edge that leaves or enters a shard; an edge whose owners change also leaves and enters shards where it
     * stays.
     *
     * @param source of the edge; of its copies on {@code from} the oldest moves. Or the vertex
     * @param target of the edge; of no meaning for a vertex
     * @param from where it is; if it is not there (any more), nothing happens
     * @param to another partition, 0 to k − 1, open or not
     * @return edges that changed a shard
     * @throws IllegalStateException if no edges are kept
     */
    long move(long source, long target, int from, int to, PlacedEdges into);

    /**
     * Closes the partitions from {@code open} on and opens the others: edges and vertices are placed as if there were
     * no others. What is on a closed partition stays there until it is moved or removed. An edge that comes with a
     * place that is closed is placed anew.
     *
     * @param open 1 to k
     * @throws IllegalStateException if no edges are kept, or the algorithm cannot cope with it
     */
    void restrictTo(int open);

    /**
     * Appends the placed edges that lead from a vertex, each copy, with their places
     * ({@link io.cutwater.state.graph.Place}).
     *
     * @throws IllegalStateException if no edges are kept
     */
    void keptEdges(long vertex, EdgeBatch into);

    /** Places every buffered edge, at the end of the input. */
    default void placeHeld(PlacedEdges into) {
        placeHeldBefore(heldEver(), into);
    }

    /**
     * Places the edges that have been buffered since {@link #heldEver} returned {@code number}.
     *
     * @param number edges that had ever waited at that time
     */
    void placeHeldBefore(long number, PlacedEdges into);

    /** Returns the number of buffered edges. */
    int heldCount();

    /** Returns the number of edges that were ever buffered since this assigner was created or restored. */
    long heldEver();

    /** Returns a copy of the buffered edges, the oldest first. */
    EdgeBatch heldEdges();

    /**
     * The quality of what is placed; buffered edges do not count.
     *
     * @param deadLetters malformed records of the input
     */
    Quality quality(long deadLetters);

    /** Edges of the input that were placed so far, each once. */
    long placedEdges();

    /** Returns the state beside vertex table and loads, in versioned pieces of a few megabytes at most. */
    List<byte[]> snapshot();

    /**
     * Takes back what {@link #snapshot} and {@link #heldEdges} gave, before the first edge. They may come from an
     * assigner for another number of partitions, if the algorithm copes with that: of fewer, or of more if there is
     * nothing on those that are gone.
     *
     * @throws IllegalStateException if the bytes are of another version or algorithm, or of another number of
     *     partitions and that cannot be
     */
    void restore(List<byte[]> snapshot, EdgeBatch held);
}
