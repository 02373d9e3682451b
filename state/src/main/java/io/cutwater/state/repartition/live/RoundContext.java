package io.cutwater.state.repartition.live;

import io.cutwater.state.repartition.DriftCheck;
import java.util.function.LongSupplier;

/**
 * State that the rounds of a job share: the placement that they change, and figures passed from one round to the next.
 */
final class RoundContext {
    private final LivePlacement placement;
    private final Repartitioning.PlanStarter plans;
    private final LongSupplier nowMillis;
    private long generation;
    private DriftCheck lastCheck;
    private int open;

    RoundContext(
            LivePlacement placement,
            Repartitioning.PlanStarter plans,
            LongSupplier nowMillis,
            RepartitioningState state) {
        this.placement = placement;
        this.plans = plans;
        this.nowMillis = nowMillis;
        generation = state.generation();
        lastCheck = state.lastCheck();
        open = state.open();
        placement.setGeneration(generation);
        if (open > 0) {
            placement.restrictTo(open);
        }
    }

    LivePlacement placement() {
        return placement;
    }

    Repartitioning.PlanStarter plans() {
        return plans;
    }

    long nowMillis() {
        return nowMillis.getAsLong();
    }

    /** Returns the number of the plan that was begun last; 0 for none. */
    long generation() {
        return generation;
    }

    void beginGeneration() {
        placement.setGeneration(++generation);
    }

    /** Returns the last check for a better plan. */
    DriftCheck lastCheck() {
        return lastCheck;
    }

    void check(DriftCheck check) {
        lastCheck = check;
    }

    /** Returns the partitions on which the live rule places; 0 for all. */
    int open() {
        return open;
    }

    /** Closes the partitions from this one on for the live rule, and opens the others. */
    void restrictTo(int partitions) {
        open = partitions == placement.partitions() ? 0 : partitions;
        placement.restrictTo(partitions);
    }
}
