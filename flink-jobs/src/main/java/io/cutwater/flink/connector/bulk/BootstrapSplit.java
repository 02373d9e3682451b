package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.bulk.work.BulkSplit;
import io.cutwater.flink.connector.topic.TopicSplit;
import org.apache.flink.api.connector.source.SourceSplit;
import org.jspecify.annotations.Nullable;

/**
 * A part of the state of a bootstrap's reader: its position in the history, or in a topic partition after it.
 *
 * @param stage of the reader in the history; null for a topic partition
 * @param history position in the history; null if the history is over
 * @param tasks that place the history; 0 for a topic partition
 * @param live of a topic partition; null for the history itself
 */
record BootstrapSplit(
        @Nullable Stage stage,
        @Nullable BulkSplit history,
        int tasks,
        @Nullable TopicSplit live) implements SourceSplit {
    /** How far a reader is. */
    enum Stage {
        /** It reads the topic live. */
        OVER,
        /** It places its piece, or emits it. */
        HISTORY,
        /** It has emitted its piece, and waits for the others. */
        EMITTED
    }

    static BootstrapSplit ofHistory(Stage stage, BulkSplit next, int tasks) {
        return new BootstrapSplit(stage, stage == Stage.OVER ? null : next, tasks, null);
    }

    static BootstrapSplit ofLive(TopicSplit live) {
        return new BootstrapSplit(null, null, 0, live);
    }

    @Override
    public String splitId() {
        return live == null ? "history" : live.splitId();
    }
}
