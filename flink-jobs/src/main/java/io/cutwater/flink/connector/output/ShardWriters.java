package io.cutwater.flink.connector.output;

import io.cutwater.flink.types.shard.OutputRow;
import io.cutwater.kafka.replay.ShardTopicPartitions;
import io.cutwater.kafka.run.CommittedEnds;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicMissingException;
import io.cutwater.kafka.topic.Topics;
import java.io.Serializable;
import java.util.Map;
import org.apache.kafka.common.utils.Utils;

/**
 * The tasks that write shards, partition book and texts. Each topic partition has one writer: a reader of committed
 * records does not see what is behind the open transaction of another one. The writers commit their parts of a
 * checkpoint one after the other, and mark them for {@link CommittedEnds}.
 *
 * @param count at least 1
 * @param shards topic partitions that shards are written to
 * @param book partitions of topic {@code partition-book}
 * @param texts partitions of topic {@code ids}; 1 if there is none
 */
public record ShardWriters(int count, int shards, int book, int texts) implements Serializable {
    /**
     * Returns as many writers as assigners, but not more than topic partitions, and creates the topic of their marks.
     *
     * @param admin of a broker that has the topics
     * @param assigners tasks that place edges
     * @throws io.cutwater.kafka.topic.BrokerException if the broker does not answer
     */
    public static ShardWriters of(
            TopicAdmin admin, String bootstrapServers, Map<String, ?> properties, Topics topics, int assigners) {
        // Those of the restored job, if partitions were added since it began.
        int shards = ShardTopicPartitions.of(admin, new QualityReader(bootstrapServers, properties), topics.shards());
        admin.ensure(topics.commitMarks(shards));
        return new ShardWriters(
                Math.min(assigners, Math.min(shards, admin.partitionCount(topics.commits()))),
                shards,
                admin.partitionCount(topics.partitionBook()),
                texts(admin, topics));
    }

    private static int texts(TopicAdmin admin, Topics topics) {
        try {
            return admin.partitionCount(topics.ids());
        } catch (TopicMissingException e) {
            return 1; // of a job whose ids are integers
        }
    }

    /** Returns the writer of a row, 0 to {@link #count} − 1. */
    int writer(OutputRow row) {
        return topicPartition(row) % count;
    }

    /** Returns the topic partition of a row of a shard, the book or the texts. */
    int topicPartition(OutputRow row) {
        return switch (row.shard()) {
            case OutputRow.BOOK -> keyed(row.key(), book);
            case OutputRow.TEXT -> keyed(row.key(), texts);
            default -> ShardRecordCodec.topicPartition(row.shard(), shards);
        };
    }

    /** As Kafka's producer does, so that earlier records of the key are there. */
    private static int keyed(byte[] key, int topicPartitions) {
        return Utils.toPositive(Utils.murmur2(key)) % topicPartitions;
    }
}
