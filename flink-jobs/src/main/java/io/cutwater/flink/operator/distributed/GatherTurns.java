package io.cutwater.flink.operator.distributed;

import java.util.function.LongSupplier;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * Runs an action soon after something has happened, at multiples of 20 ms of the clock, so that what several tasks send
 * to the same one arrives together. A busy task, which has so much to send that it will send soon anyway, does it at
 * every third multiple only: many small messages cost more than a few.
 */
final class GatherTurns {
    private static final long MILLIS = 20;
    private static final long OF_BUSY_TASK = 3;

    private final ProcessingTimeService clock;
    private final int phase;
    private final LongSupplier gathered;
    private final int busyFrom;
    private final Runnable action;
    private boolean isDue;
    private long gatheredBefore;

    /**
     * @param clock of the task
     * @param phase 0 to 2: at which multiples a busy task acts; messages of those with 0 have come when those with 1
     *     act
     * @param gathered what is there to be sent, as a number
     * @param busyFrom by how much that grows in 20 ms if a task is busy
     */
    GatherTurns(ProcessingTimeService clock, int phase, LongSupplier gathered, int busyFrom, Runnable action) {
        this.clock = clock;
        this.phase = phase;
        this.gathered = gathered;
        this.busyFrom = busyFrom;
        this.action = action;
    }

    /** Lets the action be run at the next multiple, unless the task is busy. */
    void begin() {
        if (!isDue) {
            isDue = true;
            gatheredBefore = gathered.getAsLong();
            long turn = clock.getCurrentProcessingTime() / MILLIS + 1;
            clock.registerTimer(turn * MILLIS, time -> act(turn));
        }
    }

    private void act(long turn) {
        isDue = false;
        if (turn % OF_BUSY_TASK != phase && gathered.getAsLong() - gatheredBefore >= busyFrom) {
            begin();
        } else {
            action.run();
        }
    }
}
