package io.cutwater.flink.operator;

/**
 * How long the stream stood still for a checkpoint: from the flush before the barrier to what is done next. Flink's own
 * figure of a checkpoint has no flush in it.
 */
final class CheckpointPause {
    private static final long NONE = Long.MIN_VALUE;

    private long beginMillis = NONE;
    private long lastMillis;

    void begin(long nowMillis) {
        beginMillis = nowMillis;
    }

    /** The stream moves; of no effect unless it stood still for a checkpoint. */
    void end(long nowMillis) {
        if (beginMillis != NONE) {
            lastMillis = nowMillis - beginMillis;
            beginMillis = NONE;
        }
    }

    /** Of the last checkpoint, 0 before the first. */
    long lastMillis() {
        return lastMillis;
    }
}
