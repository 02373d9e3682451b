package io.cutwater.state.repartition.live;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.quality.Quality;

/** The placement of a running job, as a re-partitioning sees and changes it. Used by the task's own thread. */
public interface LivePlacement {
    /** Returns the reason why it cannot be changed, for users; empty if it can. */
    String refusal();

    /** k of the tables. */
    int partitions();

    /** Returns the current quality. */
    Quality quality();

    /**
     * Returns whether the partitions from this one on have no edge, or no vertex of their own in a vertex partitioning.
     */
    boolean isEmptyFrom(int partition);

    /** Recreates the tables for another number of partitions; removed partitions must be empty. */
    void setPartitions(int partitions);

    /**
     * The live rule places on partitions 0 to {@code open} − 1 only.
     *
     * @param open 1 to k
     */
    void restrictTo(int open);

    /** Starts a generation: later changes of shards belong to this plan. */
    void setGeneration(long generation);

    /** Writes to the state what {@link #vertices} is to find. */
    void beginScan();

    /** Into how many parts the vertices are divided. */
    int buckets();

    /** The vertices of a part. */
    long[] vertices(int bucket);

    /** Appends the edges whose source the vertex is, each with its place. */
    void edgesOf(long vertex, EdgeBatch into);

    /**
     * Moves an edge, or a vertex, see {@link io.cutwater.state.repartition.Moves}.
     *
     * @return edges that changed their shard
     */
    long move(long source, long target, int from, int to);
}
