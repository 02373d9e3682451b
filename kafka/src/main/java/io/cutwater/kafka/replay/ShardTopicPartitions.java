package io.cutwater.kafka.replay;

import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.run.CommittedEnds;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicMissingException;
import io.cutwater.kafka.topic.Topics;
import java.util.Map;

/** Determines the topic partitions that a job writes its shards to, whatever was added to the topic later. */
public final class ShardTopicPartitions {
    private ShardTopicPartitions() {}

    /**
     * Returns the number in the job's last report; all partitions of the topic if it reports none, like jobs of earlier
     * builds.
     *
     * @param topic name of a topic {@code shards}
     * @throws BrokerException if the topic has fewer, or cannot be read
     */
    public static int of(TopicAdmin admin, QualityReader reports, String topic) {
        int present = admin.partitionCount(topic);
        int written =
                Topics.ofShards(topic).map(topics -> reported(reports, topics)).orElse(0);
        if (written > present) {
            throw new BrokerException(
                    "topic %s has %d partitions, and its job writes shards to %d: the topic is not the one that the job began with; give the prefix of the job's topics, or begin a new job under another prefix"
                            .formatted(topic, present, written));
        }
        return written == 0 ? present : written;
    }

    private static int reported(QualityReader reports, Topics topics) {
        try {
            RunReport last = reports.last(topics);
            return last == null ? 0 : last.shardTopicPartitions();
        } catch (TopicMissingException e) {
            return 0;
        }
    }

    /**
     * Returns the ends, at one checkpoint, of the topic partitions that the job writes to, by their number.
     *
     * @param topicPartitions their number, see {@link #of}
     * @param topic name of a topic {@code shards}
     * @throws BrokerException as {@link CommittedEnds#of} does
     */
    static Map<Integer, Long> ends(
            TopicAdmin admin, String bootstrapServers, Map<String, ?> properties, String topic, int topicPartitions) {
        Map<Integer, Long> ends = Topics.ofShards(topic)
                .map(topics -> new CommittedEnds(bootstrapServers, properties, topics).ofShards(admin))
                .orElseGet(() -> admin.offsets().consistentEnds(topic));
        ends.keySet().removeIf(topicPartition -> topicPartition >= topicPartitions);
        return ends;
    }
}
