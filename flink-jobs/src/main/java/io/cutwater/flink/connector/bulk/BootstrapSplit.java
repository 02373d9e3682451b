package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.bulk.work.BulkSplit;
import io.cutwater.flink.connector.topic.TopicSplit;
import org.apache.flink.api.connector.source.SourceSplit;
import org.jspecify.annotations.Nullable;

/**
 * A part of the state of a bootstrap's reader: its position in the history, or in a topic partition after it.
 *
 * @param history position in the history; null if the history is over
 * @param live of a topic partition; null for the history itself
 */
record BootstrapSplit(@Nullable BulkSplit history, @Nullable TopicSplit live) implements SourceSplit {
    static BootstrapSplit ofHistory(@Nullable BulkSplit next) {
        return new BootstrapSplit(next, null);
    }

    static BootstrapSplit ofLive(TopicSplit live) {
        return new BootstrapSplit(null, live);
    }

    @Override
    public String splitId() {
        return live == null ? "history" : live.splitId();
    }
}
