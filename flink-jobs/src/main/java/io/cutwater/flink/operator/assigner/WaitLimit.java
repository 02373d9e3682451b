package io.cutwater.flink.operator.assigner;

import io.cutwater.state.placement.Placement;
import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * Limits how long an edge waits for others when traffic is too low to push it out of the window. It checks twice within
 * the limit: an edge that waits at two checks has waited for half of the limit to all of it.
 */
final class WaitLimit {
    private final ProcessingTimeService time;
    private final Duration limit;
    private final Supplier<Placement> placement;
    private final LongConsumer placeBefore;
    private boolean timerIsSet;
    private long heldAtLastTimer;

    /**
     * @param limit zero for none
     * @param placeBefore places the edges that have waited since {@link Placement#heldEver} was the number given
     */
    WaitLimit(ProcessingTimeService time, Duration limit, Supplier<Placement> placement, LongConsumer placeBefore) {
        this.time = time;
        this.limit = limit;
        this.placement = placement;
        this.placeBefore = placeBefore;
    }

    /** Sets the timer if an edge waits and none is set. */
    void watch() {
        if (timerIsSet || placement.get().heldCount() == 0 || limit.isZero()) {
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
