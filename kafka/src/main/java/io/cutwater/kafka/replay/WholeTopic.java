package io.cutwater.kafka.replay;

import io.cutwater.kafka.run.BoundedRunMark;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.util.Map;

/**
 * Checks that a topic of shards is complete: that it has all records of its run, from the first to the last.
 *
 * @param properties further client properties, such as those of TLS
 * @param name of the topic of the shards
 */
record WholeTopic(String bootstrapServers, Map<String, ?> properties, String name) {
    /** @throws BrokerException if the beginning of a topic partition is deleted, or a run is incomplete */
    void require(TopicAdmin admin) {
        for (Map.Entry<Integer, Long> beginning :
                admin.offsets().beginnings(name).entrySet()) {
            if (beginning.getValue() > 0) {
                throw new BrokerException(
                        "topic %s begins at offset %d in topic partition %d: its retention has deleted the records before, and no shard is whole without them; set retention.ms=-1 on it before the next job"
                                .formatted(name, beginning.getValue(), beginning.getKey()));
            }
        }
        Topics.ofShards(name)
                .ifPresent(topics -> new BoundedRunMark(bootstrapServers, properties, topics).require(admin));
    }
}
