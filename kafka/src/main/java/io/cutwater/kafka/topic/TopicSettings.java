package io.cutwater.kafka.topic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/** Checks topics that somebody else has created, and finds settings that would lose records. */
public final class TopicSettings {
    /** The largest value of ours, with room for key, headers and framing. */
    private static final int LARGEST_RECORD_BYTES = (900 << 10) + (16 << 10);

    private final TopicAdmin admin;
    private final String bootstrapServers;

    /** @param bootstrapServers for the commands in messages */
    public TopicSettings(TopicAdmin admin, String bootstrapServers) {
        this.admin = admin;
        this.bootstrapServers = bootstrapServers;
    }

    /**
     * Refuses topics that a job cannot write to without losing records or failing.
     *
     * @param specs topics that exist, as Cutwater would have created them
     * @throws BrokerException if a topic takes too small records, or is compacted and must not be; the message names
     *     the setting and the command that changes it
     */
    public void requireWritable(List<TopicSpec> specs) {
        Map<String, Map<String, String>> settings = settings(specs);
        for (TopicSpec spec : specs) {
            Map<String, String> own = settings.getOrDefault(spec.name(), Map.of());
            requireRoom(spec.name(), own);
            if (spec.cleanup() == TopicSpec.Cleanup.NEVER) {
                requireNotCompacted(spec.name(), own);
            }
        }
    }

    /**
     * Lists retention settings that delete records which are needed later.
     *
     * @param specs topics that exist, as Cutwater would have created them
     * @return a message for each, with the command that changes it
     */
    public List<String> warnings(List<TopicSpec> specs) {
        Map<String, Map<String, String>> settings = settings(specs);
        List<String> warnings = new ArrayList<>();
        for (TopicSpec spec : specs) {
            Map<String, String> own = settings.getOrDefault(spec.name(), Map.of());
            switch (spec.cleanup()) {
                case NEVER ->
                    warnIfDeleted(spec.name(), own, "all records of a shard are needed, from the first", warnings);
                case COMPACTED, COMPACTED_LATE, NEWEST -> {
                    if (has(own, TopicConfig.CLEANUP_POLICY_DELETE)) {
                        warnIfDeleted(spec.name(), own, "the newest record of each key is needed", warnings);
                    }
                }
                case BY_TIME, SHORT -> {}
            }
        }
        return warnings;
    }

    private Map<String, Map<String, String>> settings(List<TopicSpec> specs) {
        return admin.settings(specs.stream().map(TopicSpec::name).toList());
    }

    private static boolean has(Map<String, String> settings, String policy) {
        return settings.getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "").contains(policy);
    }

    private void requireRoom(String topic, Map<String, String> settings) {
        long bytes = number(settings, TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Long.MAX_VALUE);
        if (bytes < LARGEST_RECORD_BYTES) {
            throw new BrokerException(
                    "topic %s takes records of %d bytes at most (%s), and a job may write some of %d; run %s"
                            .formatted(
                                    topic,
                                    bytes,
                                    TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                                    LARGEST_RECORD_BYTES,
                                    change(topic, TopicConfig.MAX_MESSAGE_BYTES_CONFIG + "=" + (1 << 20))));
        }
    }

    private void requireNotCompacted(String topic, Map<String, String> settings) {
        if (has(settings, TopicConfig.CLEANUP_POLICY_COMPACT)) {
            throw new BrokerException(
                    "topic %s is compacted (cleanup.policy=%s), which would leave the last record of each shard only; run %s"
                            .formatted(
                                    topic,
                                    settings.get(TopicConfig.CLEANUP_POLICY_CONFIG),
                                    change(topic, "cleanup.policy=delete,retention.ms=-1,retention.bytes=-1")));
        }
    }

    private void warnIfDeleted(String topic, Map<String, String> settings, String need, List<String> warnings) {
        long millis = number(settings, TopicConfig.RETENTION_MS_CONFIG, -1);
        long bytes = number(settings, TopicConfig.RETENTION_BYTES_CONFIG, -1);
        if (millis >= 0) {
            warnings.add("topic %s deletes records after %s (retention.ms=%d), and %s; run %s"
                    .formatted(topic, days(millis), millis, need, change(topic, "retention.ms=-1")));
        }
        if (bytes >= 0) {
            warnings.add("topic %s deletes records beyond %,d bytes (retention.bytes=%d), and %s; run %s"
                    .formatted(topic, bytes, bytes, need, change(topic, "retention.bytes=-1")));
        }
    }

    private static String days(long millis) {
        return String.format(
                Locale.ROOT, "%.1f days", (double) millis / Duration.ofDays(1).toMillis());
    }

    private static long number(Map<String, String> settings, String name, long absent) {
        String value = settings.get(name);
        return value == null ? absent : Long.parseLong(value);
    }

    private String change(String topic, String config) {
        return "kafka-configs.sh --bootstrap-server %s --alter --entity-type topics --entity-name %s --add-config %s"
                .formatted(bootstrapServers, topic, config);
    }
}
