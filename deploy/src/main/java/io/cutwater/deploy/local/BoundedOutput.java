package io.cutwater.deploy.local;

import io.cutwater.flink.connector.LoopOptions;
import io.cutwater.flink.connector.TopicOutputOptions;
import io.cutwater.kafka.client.OutputTopics;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.time.Duration;
import java.util.Map;

/** The topics that a job with an end writes. */
final class BoundedOutput {
    private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(5);

    private BoundedOutput() {}

    /** The topic of the loop. */
    static LoopOptions loop(String bootstrapServers, Topics topics, int tables) {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, Map.of())) {
            admin.ensure(topics.loop(tables));
            return new LoopOptions(bootstrapServers, topics.vertexUpdates(), Map.of());
        }
    }

    /**
     * Makes what is missing; transactions end at the latest when the broker's own limit says so.
     *
     * @throws BrokerException with one sentence, also if the topics hold what an earlier job has written
     */
    static TopicOutputOptions prepare(String bootstrapServers, Topics topics, int shards) {
        OutputTopics outputs = new OutputTopics(bootstrapServers, Map.of());
        outputs.make(topics, shards);
        outputs.refuseUsed(topics, "ingest and publish under another --topic-prefix");
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, Map.of())) {
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
