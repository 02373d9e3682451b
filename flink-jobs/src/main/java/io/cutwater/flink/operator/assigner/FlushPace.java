package io.cutwater.flink.operator.assigner;

import io.cutwater.state.table.VertexTable;

/**
 * How many vertices may wait for their way to the store. At a barrier all of them must go, and the stream stands still
 * meanwhile; so few may be left by then. Sooner is not better: a vertex that changes again is written again. Hence the
 * bound sinks on the way to the next barrier, which is expected after as long a time as passed before the last.
 */
public final class FlushPace {
    /** A store takes about a million sorted vertices a second on a quiet machine, a third of that on a busy one. */
    static final int AT_BARRIER = 128 * 1024;

    /** What the bound sinks by; slow enough that most of the time is left to the stream. */
    static final int PER_SECOND = 250_000;

    /** As many at least go together, for a store takes many sorted vertices faster than a few. */
    static final int GROUP = 32 * 1024;

    private static final long FIRST_INTERVAL_MILLIS = 10_000;
    private static final long MILLIS = 1000;

    private long intervalMillis = FIRST_INTERVAL_MILLIS;
    private long lastBarrierMillis;

    public FlushPace(long nowMillis) {
        lastBarrierMillis = nowMillis;
    }

    public void barrier(long nowMillis) {
        intervalMillis = Math.max(0, nowMillis - lastBarrierMillis);
        lastBarrierMillis = nowMillis;
    }

    /** Writes what is too much now to the store, if that is a group of vertices at least. */
    public void writeAhead(VertexTable vertices, long nowMillis) {
        int maxDirty = maxDirty(nowMillis);
        if (vertices.dirtyCount() - GROUP > maxDirty) {
            vertices.writeAhead(maxDirty);
        }
    }

    /** The most vertices that may be dirty now; at least {@link #AT_BARRIER}. */
    int maxDirty(long nowMillis) {
        long left = Math.max(0, lastBarrierMillis + intervalMillis - nowMillis);
        return (int) Math.min(Integer.MAX_VALUE, AT_BARRIER + left * PER_SECOND / MILLIS);
    }
}
