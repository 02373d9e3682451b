package io.cutwater.flink.operator.assigner;

import io.cutwater.state.table.VertexTable;

/**
 * Upper bound of the dirty vertices in the cache. A barrier writes all of them while the stream waits, so few should be
 * left by then; but a vertex that is written early and changes again is written twice. The bound therefore falls until
 * the next barrier, which is expected after the time between the last two. The time from the start to the first barrier
 * says nothing about that: Flink triggers the first checkpoint at any time from at once to a whole interval later.
 */
public final class FlushPace {
    /**
     * Bound at a barrier. A store takes about a million sorted vertices a second on a quiet machine, a third of that on
     * a busy one.
     */
    static final int AT_BARRIER = 128 * 1024;

    /** Rate at which the bound falls; slow enough to leave most of the time to the stream. */
    static final int PER_SECOND = 250_000;

    /** Smallest number of vertices to write at once; a store takes many sorted vertices faster than a few. */
    static final int GROUP = 32 * 1024;

    private static final long FIRST_INTERVAL_MILLIS = 10_000;
    private static final long MILLIS = 1000;

    private long intervalMillis = FIRST_INTERVAL_MILLIS;
    private long lastBarrierMillis;
    private boolean hasSeenBarrier;

    public FlushPace(long nowMillis) {
        lastBarrierMillis = nowMillis;
    }

    public void barrier(long nowMillis) {
        if (hasSeenBarrier) {
            intervalMillis = Math.max(0, nowMillis - lastBarrierMillis);
        }
        hasSeenBarrier = true;
        lastBarrierMillis = nowMillis;
    }

    /** Writes the vertices above the bound to the store, if they are at least one group. */
    public void writeAhead(VertexTable vertices, long nowMillis) {
        int maxDirty = maxDirty(nowMillis);
        if (vertices.dirtyCount() - GROUP > maxDirty) {
            vertices.writeAhead(maxDirty);
        }
    }

    /** Returns the bound at this time; at least {@link #AT_BARRIER}. */
    int maxDirty(long nowMillis) {
        long left = Math.max(0, lastBarrierMillis + intervalMillis - nowMillis);
        return (int) Math.min(Integer.MAX_VALUE, AT_BARRIER + left * PER_SECOND / MILLIS);
    }
}
