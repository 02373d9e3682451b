package io.cutwater.flink.connector.restore;

/** Policy of a restored job for records whose Kafka transaction was aborted before it was committed. */
public enum LostRecords {
    /** The job fails for good, with an error that names the records. */
    REFUSE,
    /**
     * The job reads them from the log of their topic, where an abort hides but does not delete them, and writes them
     * again.
     */
    REPLAY,
    /**
     * The job continues without those that are missing from the state with which it was resumed, and fails for good
     * over later ones.
     */
    ACCEPT,
    /**
     * The job writes those again that are still in the log, and continues without the others as {@link #ACCEPT} does.
     */
    REPLAY_OR_ACCEPT;

    /** Returns the value for two options of the command line. */
    public static LostRecords of(boolean replays, boolean accepts) {
        if (replays) {
            return accepts ? REPLAY_OR_ACCEPT : REPLAY;
        }
        return accepts ? ACCEPT : REFUSE;
    }

    public boolean replays() {
        return this == REPLAY || this == REPLAY_OR_ACCEPT;
    }

    public boolean accepts() {
        return this == ACCEPT || this == REPLAY_OR_ACCEPT;
    }
}
