package io.cutwater.deploy.input;

import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** The end up to which a topic is read. */
public sealed interface TopicMoment {
    /**
     * Returns the end offset (exclusive) of each topic partition.
     *
     * @throws BrokerException if the topic has no such moment; the message is meant for users
     */
    Map<Integer, Long> offsets(TopicAdmin admin, String topic);

    /** Up to what is committed now. */
    record Now() implements TopicMoment {
        @Override
        public Map<Integer, Long> offsets(TopicAdmin admin, String topic) {
            return admin.offsets().ends(topic);
        }
    }

    /**
     * Up to an offset of each topic partition.
     *
     * @param behind the first offset that is not read, by topic partition; all of them must be given, or the moment
     *     would change when the others grow
     */
    record AtOffsets(Map<Integer, Long> behind) implements TopicMoment {
        public AtOffsets {
            behind = Map.copyOf(behind);
        }

        @Override
        public Map<Integer, Long> offsets(TopicAdmin admin, String topic) {
            admin.offsets().require("--until", topic, behind);
            Map<Integer, Long> ends = admin.offsets().ends(topic);
            ends.keySet().removeAll(behind.keySet());
            if (!ends.isEmpty()) {
                throw new BrokerException(
                        "--until names no offset of topic partition %d of topic %s; name one of each, or a time"
                                .formatted(ends.keySet().iterator().next(), topic));
            }
            return new TreeMap<>(behind);
        }
    }

    /**
     * Up to the first record of each topic partition whose timestamp is that time or later; to its end if there is
     * none.
     */
    record AtTime(Instant time) implements TopicMoment {
        @Override
        public Map<Integer, Long> offsets(TopicAdmin admin, String topic) {
            Map<Integer, Long> offsets = new TreeMap<>();
            admin.offsets().ends(topic).forEach((topicPartition, end) -> {
                // Records that are not committed yet may have that time, too.
                long at = admin.offsets().at(topic, topicPartition, time).orElse(end);
                offsets.put(topicPartition, Math.min(at, end));
            });
            return offsets;
        }
    }
}
