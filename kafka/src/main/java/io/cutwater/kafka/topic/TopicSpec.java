package io.cutwater.kafka.topic;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

/**
 * How a missing topic is created; see {@link Topics#spec}.
 *
 * @param topicPartitions at least 1
 */
public record TopicSpec(String name, int topicPartitions, Cleanup cleanup) {
    /** What Kafka forgets. */
    public enum Cleanup {
        /** Records older than the broker's {@code log.retention}. */
        BY_TIME,
        /** Nothing, however old and however much: without its first record no shard is whole. */
        NEVER,
        /** Records with a newer one of the same key. */
        COMPACTED,
        /** The same soon, of few keys with many records: in small segments, because the last one is never compacted. */
        NEWEST,
        /**
         * The same after a day, because compaction also deletes what an aborted transaction wrote, and a job that lost
         * one reads it back.
         */
        COMPACTED_LATE,
        /** Records older than a day: what is in flight, with time to repair a job that stands still. */
        SHORT
    }

    static final String UNLIMITED = "-1";

    private static final String NEWEST_SEGMENT_BYTES = Integer.toString(16 << 20);
    private static final String DAY_MILLIS = Long.toString(Duration.ofDays(1).toMillis());

    public TopicSpec {
        if (topicPartitions < 1) {
            throw new IllegalArgumentException(
                    "topic %s must have at least 1 topic partition: %d".formatted(name, topicPartitions));
        }
    }

    /** With the broker's default replication factor. */
    NewTopic toNewTopic() {
        return new NewTopic(name, Optional.of(topicPartitions), Optional.empty()).configs(settings());
    }

    private Map<String, String> settings() {
        return switch (cleanup) {
            case BY_TIME -> Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
            case NEVER ->
                Map.of(
                        TopicConfig.CLEANUP_POLICY_CONFIG,
                        TopicConfig.CLEANUP_POLICY_DELETE,
                        TopicConfig.RETENTION_MS_CONFIG,
                        UNLIMITED,
                        TopicConfig.RETENTION_BYTES_CONFIG,
                        UNLIMITED);
            case COMPACTED -> Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
            case NEWEST ->
                Map.of(
                        TopicConfig.CLEANUP_POLICY_CONFIG,
                        TopicConfig.CLEANUP_POLICY_COMPACT,
                        TopicConfig.SEGMENT_BYTES_CONFIG,
                        NEWEST_SEGMENT_BYTES);
            case COMPACTED_LATE ->
                Map.of(
                        TopicConfig.CLEANUP_POLICY_CONFIG,
                        TopicConfig.CLEANUP_POLICY_COMPACT,
                        TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG,
                        DAY_MILLIS);
            case SHORT ->
                Map.of(
                        TopicConfig.CLEANUP_POLICY_CONFIG,
                        TopicConfig.CLEANUP_POLICY_DELETE,
                        TopicConfig.RETENTION_MS_CONFIG,
                        DAY_MILLIS,
                        TopicConfig.RETENTION_BYTES_CONFIG,
                        UNLIMITED);
        };
    }
}
