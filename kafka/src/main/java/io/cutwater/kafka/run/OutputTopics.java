package io.cutwater.kafka.run;

import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.util.Map;

/** Creates and checks the output topics of a job before it begins. */
public final class OutputTopics {
    private final String bootstrapServers;
    private final Map<String, ?> properties;

    /** @param properties further client properties, such as those of TLS */
    public OutputTopics(String bootstrapServers, Map<String, ?> properties) {
        this.bootstrapServers = bootstrapServers;
        this.properties = Map.copyOf(properties);
    }

    /**
     * Creates missing topics; existing ones stay unchanged.
     *
     * @param shards the number of shards, at least 1
     * @throws BrokerException if the broker is unreachable or rejects the request
     */
    public void make(Topics topics, int shards) {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            admin.ensure(topics.outputs(shards));
        }
    }

    /**
     * Rejects topics that hold committed output of another job: with the output of a second job, every edge would be
     * there twice, and the book would have vertices that are in no shard. Uncommitted records do not count.
     *
     * @param advice the alternative to deleting the topics, as the first part of a sentence
     * @throws BrokerException if a topic is in use; the message is meant for users
     */
    public void refuseUsed(Topics topics, String advice) {
        refuseUsed(topics.shards(), "the shards", topics, advice);
        refuseUsed(topics.partitionBook(), "the partition book", topics, advice);
    }

    private void refuseUsed(String topic, String content, Topics topics, String advice) {
        if (!new TopicReader(bootstrapServers, properties).isEmpty(topic)) {
            throw new BrokerException("topic %s holds %s of another job already; %s, or delete topics %s and %s"
                    .formatted(topic, content, advice, topics.shards(), topics.partitionBook()));
        }
    }
}
