package io.cutwater.flink.operator.assigner;

import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * Scheduler of work beside the stream, such as a re-partitioning, in time slices of a few milliseconds; the stream gets
 * more time between them. A barrier waits for at most one slice.
 */
public final class TurnPace {
    /** Length of a slice within each ten milliseconds. */
    private static final long TURN_NANOS = 3_000_000;

    private static final long STREAM_MILLIS = 7;

    private final ProcessingTimeService time;
    private final Predicate<BooleanSupplier> turn;
    private boolean timerIsSet;

    /** @param turn runs one time slice while its argument returns true; returns whether work remains */
    public TurnPace(ProcessingTimeService time, Predicate<BooleanSupplier> turn) {
        this.time = time;
        this.turn = turn;
    }

    /** Schedules the next slice if work remains. */
    public void goOn(boolean isRunning) {
        goOn(isRunning, STREAM_MILLIS);
    }

    private void goOn(boolean isRunning, long pauseMillis) {
        if (isRunning && !timerIsSet) {
            timerIsSet = true;
            time.registerTimer(time.getCurrentProcessingTime() + pauseMillis, this::takeTurn);
        }
    }

    /** Delays the next slice after one that took too long, such as for a hub or a large bucket. */
    private void takeTurn(long timestamp) {
        timerIsSet = false;
        long start = System.nanoTime();
        boolean wantsMore = turn.test(() -> System.nanoTime() - start < TURN_NANOS);
        double turns = (double) (System.nanoTime() - start) / TURN_NANOS;
        goOn(wantsMore, (long) (STREAM_MILLIS * Math.max(1, turns)));
    }
}
