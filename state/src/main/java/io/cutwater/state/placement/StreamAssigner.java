package io.cutwater.state.placement;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.quality.Quality;
import java.util.List;

/**
 * Places the edges of a stream, batch by batch, and keeps the tables: what the one task of the job that decides runs,
 * whatever is partitioned. An edge may have to wait, in a bounded window, until more is known of its ends.
 *
 * <p>If it keeps edges ({@link io.cutwater.state.table.KeptEdges}), they can also be removed and moved, and partitions
 * can be closed. A row of a batch that is a removal takes away the oldest copy of its edge, wherever it is: from its
 * shard or shards, or from those that wait. The order of the stream counts. A removal of an edge that is not there has
 * no effect and is counted. A vertex whose last edge is gone, and at which none waits, is gone.
 */
public interface StreamAssigner {
    /**
     * Takes in the next batch of the input: places those of its edges that need not wait, and those that waited for
     * them. In a pass that only prepares, whose number the batch has, the edges are looked at and none is placed.
     *
     * @throws IllegalStateException if the batch has removals and no edges are kept
     */
    void accept(EdgeBatch batch, PlacedEdges into);

    /** Whether edges are kept, so that they can be removed and moved. */
    boolean keepsEdges();

    /** Whether partitions can be closed, and what is kept be restored for another number of them. */
    boolean canChangePartitions();

    /** Removals, since this assigner was made, of edges that were not there. */
    long unknownRemovals();

    /**
     * Moves an edge of an edge partitioning, or a vertex of a vertex partitioning with all of its edges. It tells
     * {@code into} which edge leaves which shard and enters which; an edge whose owners change leaves and enters also
     * where it stays.
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
     * Appends the placed edges that lead from a vertex, each copy, with their places: partitions, or the owners of both
     * ends ({@link io.cutwater.state.graph.OwnerPair}) in a vertex partitioning.
     *
     * @throws IllegalStateException if no edges are kept
     */
    void keptEdges(long vertex, EdgeBatch into);

    /** Places every edge that waits: the input has ended. */
    default void placeHeld(PlacedEdges into) {
        placeHeldBefore(heldEver(), into);
    }

    /**
     * Places the edges that have waited since {@link #heldEver} was {@code number}.
     *
     * @param number edges that had ever waited at that time
     */
    void placeHeldBefore(long number, PlacedEdges into);

    /** How many edges wait. */
    int heldCount();

    /** How many edges have ever waited since this assigner was made or restored. */
    long heldEver();

    /** The edges that wait, the oldest first; a copy. */
    EdgeBatch heldEdges();

    /**
     * The quality of what is placed; buffered edges do not count.
     *
     * @param deadLetters malformed records of the input
     */
    Quality quality(long deadLetters);

    /** Edges of the input that were placed so far, each once. */
    long placedEdges();

    /** What is kept beside vertex table and loads, in pieces of a few megabytes at most, each versioned. */
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
