package io.cutwater.deploy.local;

import io.cutwater.flink.connector.TopicOutputOptions;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.time.Duration;
import java.util.Map;

/** The topics that a job writes, made if they are missing. */
final class OutputTopics {
    private static final int MAX_SHARD_TOPIC_PARTITIONS = 16;
    private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(5);

    private OutputTopics() {}

    /** Makes what is missing; transactions end at the latest when the broker's own limit says so. */
    static TopicOutputOptions make(String bootstrapServers, Topics topics, int shards) {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, Map.of())) {
            admin.ensure(
                    topics.spec(topics.shards(), Math.min(shards, MAX_SHARD_TOPIC_PARTITIONS)),
                    topics.spec(topics.partitionBook(), 1),
                    topics.spec(topics.quality(), 1),
                    topics.spec(topics.deadLetters(), 1));
            long timeout = Math.min(TRANSACTION_TIMEOUT.toMillis(), admin.transactionMaxTimeoutMillis());
            return new TopicOutputOptions(
                    bootstrapServers,
                    topics.prefix(),
                    topics.prefix() + "cutwater-partition",
                    Duration.ofMillis(timeout),
                    Map.of());
        }
    }
}
