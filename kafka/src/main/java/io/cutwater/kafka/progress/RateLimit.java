package io.cutwater.kafka.progress;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Spreads edges evenly over time. Time lost by a slow caller is not made up: the rate is a maximum. */
public final class RateLimit {
    private static final double NANOS_PER_SECOND = 1e9;

    private final long edgesPerSecond;
    private final LongSupplier nanoClock;
    private final LongConsumer sleepNanos;
    private long nextNanos;
    private boolean started;

    /**
     * @param edgesPerSecond 0 for no limit
     * @param nanoClock like {@link System#nanoTime()}
     * @param sleepNanos sleeps at most this long
     */
    public RateLimit(long edgesPerSecond, LongSupplier nanoClock, LongConsumer sleepNanos) {
        this.edgesPerSecond = edgesPerSecond;
        this.nanoClock = nanoClock;
        this.sleepNanos = sleepNanos;
    }

    /** Waits until this many edges may be sent; callers on several threads share the rate. */
    public void await(int edges) {
        if (edgesPerSecond == 0) {
            return;
        }
        long startNanos = reserve(edges);
        long now = nanoClock.getAsLong();
        while (startNanos - now > 0 && !Thread.currentThread().isInterrupted()) {
            sleepNanos.accept(startNanos - now);
            now = nanoClock.getAsLong();
        }
    }

    /** Reserves the next free interval; returns its beginning. */
    private synchronized long reserve(int edges) {
        long now = nanoClock.getAsLong();
        if (!started || nextNanos - now < 0) {
            started = true;
            nextNanos = now;
        }
        long startNanos = nextNanos;
        nextNanos += (long) (edges * NANOS_PER_SECOND / edgesPerSecond);
        return startNanos;
    }
}
