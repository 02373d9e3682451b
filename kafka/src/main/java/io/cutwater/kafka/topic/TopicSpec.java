package io.cutwater.kafka.topic;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The settings with which a missing topic is created; see {@link Topics#spec}.
 *
 * @param topicPartitions at least 1
 */
public record TopicSpec(String name, int topicPartitions, Cleanup cleanup) {
    /** The records that Kafka deletes. */
    public enum Cleanup {
        /** Records older than the broker's {@code log.retention}. */
        BY_TIME,
        /** Nothing, whatever its age and size: a shard is complete only with its first record. */
        NEVER,
        /** Records with a newer one of the same key. */
        COMPACTED,
        /**
         * Records with a newer one of the same key, soon: for few keys with many records, in small segments, because
         * the last segment is never compacted.
         */
        NEWEST,
        /**
         * Records with a newer one of the same key, after a day: compaction also deletes the records of aborted
         * transactions, which a job that lost a transaction reads back.
         */
        COMPACTED_LATE,
        /** Records older than a day: data in flight, with time to repair a stopped job. */
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

    /** Creates the topic with the broker's default replication factor. */
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
