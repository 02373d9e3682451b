package io.cutwater.flink.connector;

import io.cutwater.kafka.topic.Topics;
import java.io.Serializable;
import java.time.Duration;
import java.util.Map;

/**
 * Where a partitioning goes in Kafka.
 *
 * @param topicPrefix prefix of every topic's name
 * @param transactionalIdPrefix unique among the jobs of a Kafka cluster; two jobs with the same one fence each other
 * @param transactionTimeout after which the broker gives up an open transaction: longer than a checkpoint and a restart
 * @param properties more settings of the Kafka client, such as those of security
 */
public record TopicOutputOptions(
        String bootstrapServers,
        String topicPrefix,
        String transactionalIdPrefix,
        Duration transactionTimeout,
        Map<String, String> properties)
        implements Serializable {
    public TopicOutputOptions {
        properties = Map.copyOf(properties);
    }

    Topics topics() {
        return new Topics(topicPrefix);
    }
}
