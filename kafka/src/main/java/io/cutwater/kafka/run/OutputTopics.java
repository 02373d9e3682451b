package io.cutwater.kafka.run;

import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.util.Map;

/** The topics that a job writes, before it begins. */
public final class OutputTopics {
    private final String bootstrapServers;
    private final Map<String, ?> properties;

    /** @param properties further client properties, such as those of TLS */
    public OutputTopics(String bootstrapServers, Map<String, ?> properties) {
        this.bootstrapServers = bootstrapServers;
        this.properties = Map.copyOf(properties);
    }

    /**
     * Makes what is missing; what is there stays as it is.
     *
     * @param shards how many the job writes, at least 1
     * @throws BrokerException with one sentence
     */
    public void make(Topics topics, int shards) {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            admin.ensure(topics.outputs(shards));
        }
    }

    /**
     * Refuses topics that hold what another job has committed: with a second one's, every edge would be there twice,
     * and the book would tell of vertices that are nowhere. What a job left uncommitted does not count.
     *
     * @param advice what else can be done than delete them, as the first part of a sentence
     * @throws BrokerException with one sentence
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
