package io.cutwater.deploy.local;

import io.cutwater.deploy.input.InputRequest;
import io.cutwater.flink.connector.feedback.LoopOptions;
import io.cutwater.flink.connector.output.ShardWriters;
import io.cutwater.flink.connector.output.TopicOutputOptions;
import io.cutwater.flink.operator.distributed.SpreadOptions;
import io.cutwater.kafka.run.BoundedRunMark;
import io.cutwater.kafka.run.OutputTopics;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The topics that a bounded job writes. */
final class BoundedOutput {
    private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(5);

    private BoundedOutput() {}

    /** Returns the topic of vertex updates. */
    static LoopOptions loop(InputRequest.Topic kafka, int tables) {
        Topics topics = kafka.topics();
        try (TopicAdmin admin = TopicAdmin.connect(kafka.bootstrapServers(), kafka.client())) {
            admin.ensure(topics.loop(tables));
            return new LoopOptions(kafka.bootstrapServers(), topics.vertexUpdates(), kafka.client());
        }
    }

    /**
     * Creates missing topics, and marks them as those of an unfinished run.
     *
     * @param spread null for the fused topology
     * @throws BrokerException if the topics hold the output of an earlier job, the broker allows no transaction of two
     *     checkpoint intervals, or it is unreachable; the message is meant for users
     */
    static TopicOutputOptions prepare(
            InputRequest.Topic kafka, int shards, Duration checkpointInterval, @Nullable SpreadOptions spread) {
        Topics topics = kafka.topics();
        OutputTopics outputs = new OutputTopics(kafka.bootstrapServers(), kafka.client());
        outputs.make(topics, shards);
        outputs.refuseUsed(topics, "ingest and publish under another --topic-prefix");
        try (TopicAdmin admin = TopicAdmin.connect(kafka.bootstrapServers(), kafka.client())) {
            long maxMillis = admin.transactionMaxTimeoutMillis();
            long needed = 2 * checkpointInterval.toMillis();
            if (needed > maxMillis) {
                throw new BrokerException(
                        "--checkpoint-interval %ds needs transactions twice as long, and the Kafka broker at %s ends them after transaction.max.timeout.ms = %d; give at most --checkpoint-interval %ds, or raise the broker's limit"
                                .formatted(
                                        checkpointInterval.toSeconds(),
                                        kafka.bootstrapServers(),
                                        maxMillis,
                                        maxMillis / 2000));
            }
            mark(kafka).begin();
            long timeout = Math.min(Math.max(TRANSACTION_TIMEOUT.toMillis(), 2 * needed), maxMillis);
            TopicOutputOptions options = new TopicOutputOptions(
                    kafka.bootstrapServers(),
                    topics.prefix(),
                    topics.prefix() + "cutwater-partition",
                    Duration.ofMillis(timeout),
                    kafka.client());
            return spread == null
                    ? options
                    : options.withWriters(ShardWriters.of(
                            admin, kafka.bootstrapServers(), kafka.client(), topics, spread.assigners()));
        }
    }

    /** Returns the mark that tells whether these topics are complete. */
    static BoundedRunMark mark(InputRequest.Topic kafka) {
        return new BoundedRunMark(kafka.bootstrapServers(), kafka.client(), kafka.topics());
    }
}
