package io.cutwater.deploy.local;

import io.cutwater.flink.connector.LoopOptions;
import io.cutwater.flink.connector.TopicOutputOptions;
import io.cutwater.kafka.client.OutputTopics;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.time.Duration;

/** The topics that a job with an end writes. */
final class BoundedOutput {
    private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(5);

    private BoundedOutput() {}

    /** The topic of the loop. */
    static LoopOptions loop(InputRequest.Topic kafka, int tables) {
        Topics topics = kafka.topics();
        try (TopicAdmin admin = TopicAdmin.connect(kafka.bootstrapServers(), kafka.client())) {
            admin.ensure(topics.loop(tables));
            return new LoopOptions(kafka.bootstrapServers(), topics.vertexUpdates(), kafka.client());
        }
    }

    /**
     * Makes what is missing; transactions end at the latest when the broker's own limit says so.
     *
     * @throws BrokerException with one sentence, also if the topics hold what an earlier job has written
     */
    static TopicOutputOptions prepare(InputRequest.Topic kafka, int shards) {
        Topics topics = kafka.topics();
        OutputTopics outputs = new OutputTopics(kafka.bootstrapServers(), kafka.client());
        outputs.make(topics, shards);
        outputs.refuseUsed(topics, "ingest and publish under another --topic-prefix");
        try (TopicAdmin admin = TopicAdmin.connect(kafka.bootstrapServers(), kafka.client())) {
            long timeout = Math.min(TRANSACTION_TIMEOUT.toMillis(), admin.transactionMaxTimeoutMillis());
            return new TopicOutputOptions(
                    kafka.bootstrapServers(),
                    topics.prefix(),
                    topics.prefix() + "cutwater-partition",
                    Duration.ofMillis(timeout),
                    kafka.client());
        }
    }
}
