package io.cutwater.state.repartition.live;

import io.cutwater.state.repartition.DriftCheck;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of re-partitionings in a checkpoint.
 *
 * @param generation of the plan that was begun last, 0 for none
 * @param open partitions on which the live rule places, 0 for all
 * @param partitions k, 0 if no checkpoint has had it
 * @param ownRounds that the job has begun by itself
 * @param lastCheck the last check for a better plan
 * @param running null if none does
 * @param over the last ones that are
 */
public record RepartitioningState(
        long generation,
        int open,
        int partitions,
        long ownRounds,
        DriftCheck lastCheck,
        @Nullable Running running,
        List<RepartitionStatus> over) {
    /** The state of a job that has never been re-partitioned. */
    public static final RepartitioningState NONE =
            new RepartitioningState(0, 0, 0, 0, DriftCheck.NEVER, null, List.of());

    /**
     * A running re-partitioning.
     *
     * @param hasBegun whether edges may have moved, so that its generation has begun
     * @param sinceMillis when the job took it up, since 1970
     */
    public record Running(
            JobCommand.Repartition command, RepartitionStatus status, boolean hasBegun, long sinceMillis) {}

    public RepartitioningState {
        over = List.copyOf(over);
    }

    /** Returns this state with edges that other tasks have moved for the running re-partitioning, if one has begun. */
    public RepartitioningState withMoved(long edges) {
        Running now = running;
        return now == null || !now.hasBegun()
                ? this
                : new RepartitioningState(
                        generation,
                        open,
                        partitions,
                        ownRounds,
                        lastCheck,
                        new Running(now.command(), now.status().moved(edges), true, now.sinceMillis()),
                        over);
    }
}
