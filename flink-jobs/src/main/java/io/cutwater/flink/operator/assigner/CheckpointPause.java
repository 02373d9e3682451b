package io.cutwater.flink.operator.assigner;

/**
 * Time for which a checkpoint stopped the stream, from the flush before the barrier to the next element. Flink's own
 * checkpoint duration does not include the flush.
 */
public final class CheckpointPause {
    private static final long NONE = Long.MIN_VALUE;

    private long beginMillis = NONE;
    private long lastMillis;

    public void begin(long nowMillis) {
        beginMillis = nowMillis;
    }

    /** Ends the pause; without effect if no checkpoint is in progress. */
    public void end(long nowMillis) {
        if (beginMillis != NONE) {
            lastMillis = nowMillis - beginMillis;
            beginMillis = NONE;
        }
    }

    /** Returns the pause of the last checkpoint in milliseconds; 0 before the first one. */
    public long lastMillis() {
        return lastMillis;
    }
}
