package io.cutwater.flink.operator.assigner;

import io.cutwater.state.placement.Placement;
import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * Limits how long an edge waits for others when traffic is too low to push it out of the window. It checks twice within
 * the limit: an edge that waits at two checks has waited for half of the limit to all of it.
 *
 * <p>If the placement cuts its buffer at checkpoints ({@link Placement#cutsAtCheckpoints}) and these come within the
 * limit, they take the place of the timer: a checkpoint cuts off the edges that would have waited for too long when the
 * next one comes. Then the output follows from the order of the input and the places of the checkpoints in it.
 */
final class WaitLimit {
    private static final int MOST_CHECKPOINTS = 1000;

    private final ProcessingTimeService time;
    private final Duration limit;
    private final Supplier<Placement> placement;
    private final LongConsumer placeBefore;
    private final int checkpointsWithinLimit;
    private boolean timerIsSet;
    private long heldAtLastTimer;

    /**
     * @param limit zero for none
     * @param checkpointInterval zero if checkpoints are not to cut
     * @param placeBefore places the edges that have waited since {@link Placement#heldEver} was the number given
     */
    WaitLimit(
            ProcessingTimeService time,
            Duration limit,
            Duration checkpointInterval,
            Supplier<Placement> placement,
            LongConsumer placeBefore) {
        this.time = time;
        this.limit = limit;
        this.placement = placement;
        this.placeBefore = placeBefore;
        checkpointsWithinLimit =
                checkpointInterval.isZero() ? 0 : (int) Math.min(MOST_CHECKPOINTS, limit.dividedBy(checkpointInterval));
    }

    private boolean isLeftToCheckpoints() {
        return checkpointsWithinLimit > 0 && placement.get().cutsAtCheckpoints();
    }

    /** Cuts off the edges that would have waited for longer than the limit when the next checkpoint comes. */
    void beforeCheckpoint() {
        if (isLeftToCheckpoints()) {
            placement.get().cut(checkpointsWithinLimit);
        }
    }

    /** Sets the timer if an edge waits and none is set. */
    void watch() {
        if (timerIsSet || limit.isZero() || placement.get().heldCount() == 0 || isLeftToCheckpoints()) {
            return;
        }
        timerIsSet = true;
        heldAtLastTimer = placement.get().heldEver();
        time.registerTimer(time.getCurrentProcessingTime() + limit.toMillis() / 2, this::placeWhatWaitedBefore);
    }

    private void placeWhatWaitedBefore(long timestamp) {
        timerIsSet = false;
        placeBefore.accept(heldAtLastTimer);
        watch();
    }
}
