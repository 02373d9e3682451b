package io.cutwater.flink.job;

import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.util.Map;
import java.util.TreeMap;

/** Sees to it, before a live job starts, that Kafka will take what it does. */
final class LiveTopics {
    private static final int MAX_SHARD_TOPIC_PARTITIONS = 32;
    /** More would only be needed for more vertex tables than this: then several read the same. */
    private static final int MAX_LOOP_TOPIC_PARTITIONS = 32;

    private static final int BOOK_TOPIC_PARTITIONS = 4;
    /** Quality and dead letters are few, and edges of one topic partition keep their order. */
    private static final int ONE = 1;

    private LiveTopics() {}

    /**
     * Creates the topics that are missing, and refuses what cannot go well.
     *
     * @param restored whether the job goes on from a savepoint or checkpoint
     * @return the first offset by topic partition of {@code edges}; empty for the beginnings
     * @throws BrokerException with one sentence, also if the broker allows no transaction that long, or the topic of
     *     shards is another job's
     */
    static Map<Integer, Long> prepare(LiveJobOptions options, boolean restored) {
        Topics topics = options.topics();
        try (TopicAdmin admin = TopicAdmin.connect(options.bootstrapServers(), Map.of())) {
            checkTransactionTimeout(options, admin.transactionMaxTimeoutMillis());
            int shardTopicPartitions = Math.min(options.partitioner().partitionCount(), MAX_SHARD_TOPIC_PARTITIONS);
            admin.ensure(
                    topics.spec(topics.edges(), ONE),
                    topics.spec(topics.shards(), shardTopicPartitions),
                    topics.spec(topics.partitionBook(), BOOK_TOPIC_PARTITIONS),
                    topics.spec(topics.quality(), ONE),
                    topics.spec(topics.deadLetters(), ONE));
            if (options.spread() != null) {
                admin.ensure(topics.spec(
                        topics.vertexUpdates(), Math.min(options.maxParallelism(), MAX_LOOP_TOPIC_PARTITIONS)));
            }
            if (restored) {
                return Map.of();
            }
            refuseShards(topics.shards(), admin);
            return options.startOffsets().isEmpty() ? Map.of() : startOffsets(options, admin);
        }
    }

    private static void checkTransactionTimeout(LiveJobOptions options, long maxMillis) {
        if (options.transactionTimeout().toMillis() > maxMillis) {
            throw new BrokerException(
                    "--transaction-timeout %ds is more than the Kafka broker at %s allows, transaction.max.timeout.ms = %d;"
                                    .formatted(
                                            options.transactionTimeout().toSeconds(),
                                            options.bootstrapServers(),
                                            maxMillis)
                            + " give at most --transaction-timeout %ds, or raise the broker's limit"
                                    .formatted(maxMillis / 1000));
        }
    }

    /** Every edge would be in the topic twice, once from each job. */
    private static void refuseShards(String shards, TopicAdmin admin) {
        if (!admin.beginningOffsets(shards).equals(admin.endOffsets(shards))) {
            throw new BrokerException(
                    ("topic %s holds the shards of another job already; resume that job from its last savepoint or"
                                    + " checkpoint, delete the topic, or choose another --topic-prefix")
                            .formatted(shards));
        }
    }

    private static Map<Integer, Long> startOffsets(LiveJobOptions options, TopicAdmin admin) {
        String edges = options.topics().edges();
        Map<Integer, Long> first = admin.beginningOffsets(edges);
        Map<Integer, Long> ends = admin.endOffsets(edges);
        Map<Integer, Long> offsets = new TreeMap<>(first);
        options.startOffsets().forEach((topicPartition, offset) -> {
            long from = first.getOrDefault(topicPartition, Long.MAX_VALUE);
            long to = ends.getOrDefault(topicPartition, Long.MIN_VALUE);
            if (offset < from || offset > to) {
                throw new BrokerException("--start-offsets %d:%d is not in topic %s, which has %s"
                        .formatted(
                                topicPartition,
                                offset,
                                edges,
                                from > to ? "no such topic partition" : "offsets %d to %d there".formatted(from, to)));
            }
            offsets.put(topicPartition, offset);
        });
        return offsets;
    }
}
