package io.cutwater.flink.connector.output;

import io.cutwater.flink.connector.restore.LostRecords;
import io.cutwater.flink.connector.restore.RestoreRule;
import io.cutwater.kafka.topic.Topics;
import java.io.Serializable;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kafka output of a partitioning.
 *
 * @param topicPrefix prefix of every topic's name
 * @param transactionalIdPrefix unique among the jobs of a Kafka cluster; two jobs with the same one fence each other
 * @param transactionTimeout after which the broker aborts an open transaction: longer than a checkpoint and a restart
 * @param properties further settings of the Kafka client, such as those of security
 * @param readsVertices whether the data of topic {@code vertices} go to the shards
 * @param control re-partitioning while the job runs; null for none
 * @param rule what a restored job may do if the topics that it reads have changed
 * @param lostRecords what a restored job does about a transaction that Kafka has aborted
 * @param writers tasks that write the shards; null for one that marks no commits
 */
public record TopicOutputOptions(
        String bootstrapServers,
        String topicPrefix,
        String transactionalIdPrefix,
        Duration transactionTimeout,
        Map<String, String> properties,
        boolean readsVertices,
        @Nullable ControlOptions control,
        RestoreRule rule,
        LostRecords lostRecords,
        @Nullable ShardWriters writers)
        implements Serializable {
    public TopicOutputOptions {
        properties = Map.copyOf(properties);
    }

    /** Creates options without vertex data and commands, with one writer; lost records are written again. */
    public TopicOutputOptions(
            String bootstrapServers,
            String topicPrefix,
            String transactionalIdPrefix,
            Duration transactionTimeout,
            Map<String, String> properties) {
        this(
                bootstrapServers,
                topicPrefix,
                transactionalIdPrefix,
                transactionTimeout,
                properties,
                false,
                null,
                RestoreRule.STRICT,
                LostRecords.REPLAY,
                null);
    }

    /** Returns these options with other writers of the shards. */
    public TopicOutputOptions withWriters(@Nullable ShardWriters writers) {
        return new TopicOutputOptions(
                bootstrapServers,
                topicPrefix,
                transactionalIdPrefix,
                transactionTimeout,
                properties,
                readsVertices,
                control,
                rule,
                lostRecords,
                writers);
    }

    public Topics topics() {
        return new Topics(topicPrefix);
    }
}
