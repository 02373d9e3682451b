package io.cutwater.flink.job;

import io.cutwater.flink.connector.output.ShardWriters;
import io.cutwater.flink.job.option.History;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.kafka.run.BoundedRunMark;
import io.cutwater.kafka.run.OutputTopics;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicSettings;
import io.cutwater.kafka.topic.TopicSpec;
import io.cutwater.kafka.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Creates and checks the topics of a live job before it starts. */
final class LiveTopics {
    /** Partitions of topic {@code edges} if the job creates it; edges of one topic partition keep their order. */
    private static final int ORDERED = 1;

    /**
     * Default transaction time-out, if the broker allows it: a stopped job can be resumed for this long before Kafka
     * aborts its open transactions.
     */
    private static final Duration LONGEST_TRANSACTION = Duration.ofHours(24);

    private LiveTopics() {}

    /**
     * Offsets at which a job begins to read.
     *
     * @param edges first offset by topic partition; empty for the beginnings
     * @param commands likewise
     * @param transactionTimeout that the broker allows
     * @param writers of the shards; null for the one of a fused job
     * @param readers of topic {@code edges}, if no task must see all edges
     */
    record Start(
            Map<Integer, Long> edges,
            Map<Integer, Long> commands,
            Duration transactionTimeout,
            @Nullable ShardWriters writers,
            int readers) {}

    /**
     * Creates the missing topics and checks the existing ones.
     *
     * @param restored whether the job continues from a savepoint or checkpoint
     * @return offsets at which it begins to read
     * @throws BrokerException if the broker does not answer, does not allow such long transactions, or topic
     *     {@code shards} belongs to another job
     */
    static Start prepare(LiveJobOptions options, boolean restored) {
        Topics topics = options.topics();
        if (!restored) { // later the fields of records may have changed, and the registry may be away
            options.eventFormat().check(topics.edges());
        }
        try (TopicAdmin admin = TopicAdmin.connect(options.bootstrapServers(), options.client())) {
            Duration timeout = transactionTimeout(options, admin.transactionMaxTimeoutMillis());
            admin.ensure(topics.spec(topics.edges(), ORDERED));
            if (options.eventFormat().removesAll()) {
                requireOrder(topics.edges(), admin.partitionCount(topics.edges()));
            }
            OutputTopics outputs = new OutputTopics(options.bootstrapServers(), options.client());
            outputs.make(topics, options.partitioner().partitionCount());
            if (options.readsVertices()) {
                admin.ensure(topics.spec(topics.vertices(), ORDERED));
            }
            if (options.eventFormat().textIds() != null) {
                admin.ensure(topics.texts());
            }
            if (options.spread() != null) {
                admin.ensure(topics.loop(options.maxParallelism()));
            }
            admin.ensure(topics.control());
            // One assigner takes the edges in one order.
            int readers = Math.min(options.assigners(), admin.partitionCount(topics.edges()));
            ShardWriters writers = options.spread() == null ? null : writers(admin, options);
            new TopicSettings(admin, options.bootstrapServers()).requireWritable(written(options));
            // Earlier commands were meant for other jobs. A restored job continues at the offsets of its checkpoint.
            Map<Integer, Long> commands = admin.offsets().ends(topics.commands());
            if (restored) {
                refuseOpenHistory(options);
                return new Start(
                        options.acceptsNewTopic() ? options.startOffsets() : Map.of(),
                        commands,
                        timeout,
                        writers,
                        readers);
            }
            outputs.refuseUsed(
                    topics, "resume that job from its last savepoint or checkpoint, choose another --topic-prefix");
            new BoundedRunMark(options.bootstrapServers(), options.client(), topics).clear();
            return new Start(
                    options.startOffsets().isEmpty() ? Map.of() : startOffsets(options, admin),
                    commands,
                    timeout,
                    writers,
                    readers);
        }
    }

    private static ShardWriters writers(TopicAdmin admin, LiveJobOptions options) {
        return ShardWriters.of(
                admin, options.bootstrapServers(), options.client(), options.topics(), options.assigners());
    }

    private static void requireOrder(String edges, int topicPartitions) {
        if (topicPartitions > ORDERED) {
            throw new BrokerException(
                    "topic %s has %d partitions, and --on-truncate remove needs a topic with one, because the order of a truncate against the records of other partitions is not known; create the topic with one, or choose fail or ignore"
                            .formatted(edges, topicPartitions));
        }
    }

    /**
     * Lists settings of existing topics that will lose records later.
     *
     * @return one message per setting, with the command that changes it
     * @throws BrokerException if the broker does not answer
     */
    static List<String> warnings(LiveJobOptions options) {
        try (TopicAdmin admin = TopicAdmin.connect(options.bootstrapServers(), options.client())) {
            return new TopicSettings(admin, options.bootstrapServers()).warnings(written(options));
        }
    }

    private static List<TopicSpec> written(LiveJobOptions options) {
        Topics topics = options.topics();
        List<TopicSpec> specs =
                new ArrayList<>(topics.outputs(options.partitioner().partitionCount()));
        specs.addAll(topics.control());
        if (options.readsVertices()) {
            specs.add(topics.spec(topics.vertices(), ORDERED));
        }
        if (options.eventFormat().textIds() != null) {
            specs.add(topics.texts());
        }
        if (options.spread() != null) {
            specs.add(topics.commitMarks(options.partitioner().partitionCount()));
        }
        return specs;
    }

    private static void refuseOpenHistory(LiveJobOptions options) {
        if (options.bootstraps() && options.history() == null) {
            throw new BrokerException(
                    "a resumed job needs the history of its first submission: give --bootstrap the offsets that this"
                            + " submission printed");
        }
    }

    /**
     * Sets the history that a bootstrap places in bulk: from the requested first offsets to the offsets committed now.
     * Options that need no history, or have one, are returned unchanged.
     *
     * @throws BrokerException if the broker does not answer
     */
    static LiveJobOptions fixHistory(LiveJobOptions options) {
        if (!options.bootstraps() || options.history() != null) {
            return options;
        }
        Topics topics = options.topics();
        try (TopicAdmin admin = TopicAdmin.connect(options.bootstrapServers(), options.client())) {
            admin.ensure(topics.spec(topics.edges(), ORDERED));
            Map<Integer, Long> until = admin.offsets().ends(topics.edges());
            Map<Integer, Long> from = startOffsets(options, admin);
            from.keySet().retainAll(until.keySet());
            return options.withHistory(new History(from, until));
        }
    }

    private static Duration transactionTimeout(LiveJobOptions options, long maxMillis) {
        Duration asked = options.transactionTimeout();
        if (asked == null) {
            Duration longest = Duration.ofMillis(Math.min(maxMillis, LONGEST_TRANSACTION.toMillis()));
            if (longest.compareTo(options.checkpointInterval().multipliedBy(2)) < 0) {
                throw new BrokerException(
                        "--checkpoint-interval %ds needs transactions twice as long, and the Kafka broker at %s ends them after transaction.max.timeout.ms = %d; give at most --checkpoint-interval %ds, or raise the broker's limit"
                                .formatted(
                                        options.checkpointInterval().toSeconds(),
                                        options.bootstrapServers(),
                                        maxMillis,
                                        maxMillis / 2000));
            }
            return longest;
        }
        if (asked.toMillis() > maxMillis) {
            throw new BrokerException(
                    "--transaction-timeout %ds is more than the Kafka broker at %s allows, transaction.max.timeout.ms = %d;"
                                    .formatted(asked.toSeconds(), options.bootstrapServers(), maxMillis)
                            + " give at most --transaction-timeout %ds, or raise the broker's limit"
                                    .formatted(maxMillis / 1000));
        }
        return asked;
    }

    private static Map<Integer, Long> startOffsets(LiveJobOptions options, TopicAdmin admin) {
        String edges = options.topics().edges();
        admin.offsets().require("--start-offsets", edges, options.startOffsets());
        Map<Integer, Long> offsets = new TreeMap<>(admin.offsets().beginnings(edges));
        offsets.putAll(options.startOffsets());
        return offsets;
    }
}
