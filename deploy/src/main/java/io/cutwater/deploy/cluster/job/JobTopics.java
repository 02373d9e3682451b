package io.cutwater.deploy.cluster.job;

import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicIdentity;
import io.cutwater.kafka.topic.TopicMissingException;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Reads what the topics of a live job tell about it: their identities, and its present number of partitions. */
final class JobTopics {
    private JobTopics() {}

    /**
     * Reads the identities of the present topics.
     *
     * @throws io.cutwater.kafka.topic.BrokerException if the broker is unreachable; the message is meant for users
     */
    static Map<String, TopicIdentity> read(LiveJobOptions options) {
        Map<String, TopicIdentity> identities = new TreeMap<>();
        try (TopicAdmin admin = TopicAdmin.connect(options.bootstrapServers(), options.client())) {
            identities.put(
                    options.topics().edges(), admin.identity(options.topics().edges()));
            if (options.readsVertices()) {
                identities.put(
                        options.topics().vertices(),
                        admin.identity(options.topics().vertices()));
            }
        }
        return identities;
    }

    /**
     * Refuses to continue a job whose topics are others than before. The job itself would notice only when it runs.
     *
     * @throws IOException if a topic has changed; the message names it
     */
    static void requireSame(JobRecord past, LiveJobOptions options) throws IOException {
        Map<String, TopicIdentity> before = past.topics();
        if (before == null || options.acceptsNewTopic()) {
            return;
        }
        Map<String, TopicIdentity> now;
        try {
            now = read(options);
        } catch (TopicMissingException e) {
            throw new IOException(
                    "%s; job %s has read it: bring it back, or resume with --accept-new-topic, which creates a new one"
                            .formatted(e.getMessage(), past.id()),
                    e);
        }
        for (Map.Entry<String, TopicIdentity> topic : now.entrySet()) {
            TopicIdentity identity = before.get(topic.getKey());
            if (identity != null && !identity.equals(topic.getValue())) {
                boolean isMoved = !identity.clusterId().equals(topic.getValue().clusterId());
                throw new IOException(
                        ("topic %s %s: job %s has read topic %s of Kafka cluster %s, and this is topic %s of"
                                        + " cluster %s. Bring that one back, submit the job again under another --topic-prefix,"
                                        + " or resume with --accept-new-topic, which reads the new topic from its beginning, or"
                                        + " from --start-offsets")
                                .formatted(
                                        topic.getKey(),
                                        isMoved ? "belongs to another Kafka cluster" : "was deleted and created again",
                                        past.id(),
                                        identity.topicId(),
                                        identity.clusterId(),
                                        topic.getValue().topicId(),
                                        topic.getValue().clusterId()));
            }
        }
    }

    /**
     * Returns the options of a job with its present number of partitions, which a re-partitioning may have changed
     * since the submission. The job restores this number from its state, whatever its options say.
     *
     * @throws io.cutwater.kafka.topic.BrokerException if the broker is unreachable; the message is meant for users
     */
    static LiveJobOptions present(LiveJobOptions options) {
        RunReport last = options.keepsEdges()
                ? new QualityReader(options.bootstrapServers(), options.client()).last(options.topics())
                : null;
        if (last == null) {
            return options;
        }
        Map<String, String> arguments = new TreeMap<>(options.arguments());
        arguments.put("partitions", Integer.toString(last.quality().partitions()));
        return LiveJobOptions.of(arguments);
    }
}
