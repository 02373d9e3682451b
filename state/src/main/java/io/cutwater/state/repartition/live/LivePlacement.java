package io.cutwater.state.repartition.live;

import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.Moves;
import java.util.function.BooleanSupplier;

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

    /** Returns the current quality, or that of the last {@link #survey}. */
    Quality quality();

    /**
     * Returns whether the partitions from this one on have neither edges nor vertices, also none that has its owner
     * there while all of its edges are buffered.
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

    /**
     * Returns whether it has chosen moves to better places, without a plan, that are not made yet: some are made beside
     * the stream, while there is no re-partitioning.
     */
    default boolean hasMovesOfItsOwn() {
        return false;
    }

    /** Makes some of these moves. */
    default void makeOwnMoves(BooleanSupplier mayGoOn) {}

    /** Makes no more of them. */
    default void stopOwnMoves() {}

    /** Begins a pass over the kept edges. */
    EdgeScan scan();

    /**
     * Begins to make the moves of a plan; see {@link Moves}.
     *
     * @param edgesPerSecond how many edges each task that moves some may move per second, see {@link #share}
     */
    EdgeMover mover(Moves moves, long edgesPerSecond);

    /**
     * Asks for the current quality if that is known in other tasks: {@link #settle} returns false until it is here.
     *
     * @param change the share of its edges that must have changed since it was asked for; 0 for none
     */
    default void survey(double change) {}

    /**
     * Goes on to tell other tasks what was set here; returns whether all of them have it, {@link #quality} is the one
     * that was asked for, and this one has begun.
     */
    default boolean settle() {
        return true;
    }

    /**
     * Returns the edges that other tasks have moved in this generation since this one was started, as far as is known.
     * They are in the checkpoints of those tasks.
     */
    default long movedElsewhere() {
        return 0;
    }

    /** Returns the part of a rate that is each task's if several move edges; {@link Long#MAX_VALUE} for no limit. */
    default long share(long edgesPerSecond) {
        return edgesPerSecond;
    }
}
