package io.cutwater.kafka.shard;

import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import java.util.Map;

/** A shard is made of all of its records, from the first. */
final class WholeTopic {
    private WholeTopic() {}

    /** @throws BrokerException with one sentence if the beginning of a topic partition is deleted */
    static void require(TopicAdmin admin, String topic) {
        for (Map.Entry<Integer, Long> beginning : admin.beginningOffsets(topic).entrySet()) {
            if (beginning.getValue() > 0) {
                throw new BrokerException(
                        "topic %s begins at offset %d in topic partition %d: its retention has deleted the records before, and no shard is whole without them; set retention.ms=-1 on it before the next job"
                                .formatted(topic, beginning.getValue(), beginning.getKey()));
            }
        }
    }
}
