package io.cutwater.flink.operator.local;

import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * When work beside the stream has its turn, such as that of a re-partitioning: a few milliseconds, again and again,
 * between which the stream has more of them. A barrier waits for one turn at the most.
 */
final class TurnPace {
    /** Of ten milliseconds. */
    private static final long TURN_NANOS = 3_000_000;

    private static final long STREAM_MILLIS = 7;

    private final ProcessingTimeService time;
    private final Predicate<BooleanSupplier> turn;
    private boolean timerIsSet;

    /** @param turn has a turn, as long as it is told that there is time; and says whether it wants another */
    TurnPace(ProcessingTimeService time, Predicate<BooleanSupplier> turn) {
        this.time = time;
        this.turn = turn;
    }

    /** Sees to the next turn, if there is something to do. */
    void goOn(boolean isRunning) {
        goOn(isRunning, STREAM_MILLIS);
    }

    private void goOn(boolean isRunning, long pauseMillis) {
        if (isRunning && !timerIsSet) {
            timerIsSet = true;
            time.registerTimer(time.getCurrentProcessingTime() + pauseMillis, this::takeTurn);
        }
    }

    /** A turn that became longer, for a hub or a bucket, is paid back to the stream. */
    private void takeTurn(long timestamp) {
        timerIsSet = false;
        long start = System.nanoTime();
        boolean wantsMore = turn.test(() -> System.nanoTime() - start < TURN_NANOS);
        double turns = (double) (System.nanoTime() - start) / TURN_NANOS;
        goOn(wantsMore, (long) (STREAM_MILLIS * Math.max(1, turns)));
    }
}
