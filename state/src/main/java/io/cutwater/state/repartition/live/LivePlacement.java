package io.cutwater.state.repartition.live;

import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.Moves;

/** The placement of a running job, as a re-partitioning sees and changes it. Used by the task's own thread. */
public interface LivePlacement {
    /**
     * Returns the reason why it cannot be changed, for users; empty if it can.
     *
     * @param wanted k that there is to be
     */
    String refusal(int wanted);

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

    /** Begins a pass over the kept edges. */
    EdgeScan scan();

    /** Begins to make the moves of a plan; see {@link Moves}. */
    EdgeMover mover(Moves moves);
}
