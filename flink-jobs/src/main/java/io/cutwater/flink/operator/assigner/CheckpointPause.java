package io.cutwater.flink.operator.assigner;

/**
 * How long the stream stood still for a checkpoint: from the flush before the barrier to what is done next. Flink's own
 * figure of a checkpoint has no flush in it.
 */
public final class CheckpointPause {
    private static final long NONE = Long.MIN_VALUE;

    private long beginMillis = NONE;
    private long lastMillis;

    public void begin(long nowMillis) {
        beginMillis = nowMillis;
    }

    /** The stream moves; of no effect unless it stood still for a checkpoint. */
    public void end(long nowMillis) {
        if (beginMillis != NONE) {
            lastMillis = nowMillis - beginMillis;
            beginMillis = NONE;
        }
    }

    /** Of the last checkpoint, 0 before the first. */
    public long lastMillis() {
        return lastMillis;
    }
}
