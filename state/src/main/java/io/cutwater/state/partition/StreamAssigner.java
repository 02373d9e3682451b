package io.cutwater.state.partition;

import io.cutwater.state.graph.EdgeBatch;
import java.util.List;

/**
 * Places the edges of a stream, batch by batch, and keeps the tables: what the one task of the job that decides runs,
 * whatever is partitioned. An edge may have to wait, in a bounded window, until more is known of its ends.
 */
public interface StreamAssigner {
    /**
     * Takes in the next batch of the input: places those of its edges that need not wait, and those that waited for
     * them. In a pass that only prepares, whose number the batch has, the edges are looked at and none is placed.
     */
    void accept(EdgeBatch batch, PlacedEdges into);

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

    /** Edges of the input that were placed so far, each once. */
    long placedEdges();

    /** What is kept beside vertex table and loads, in pieces of a few megabytes at most, each versioned. */
    List<byte[]> snapshot();

    /**
     * Takes back what {@link #snapshot} and {@link #heldEdges} gave, before the first edge.
     *
     * @throws IllegalStateException if the bytes are of another version, algorithm or number of partitions
     */
    void restore(List<byte[]> snapshot, EdgeBatch held);
}
