package io.cutwater.deploy.local;

import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** How far a topic is read. */
public sealed interface TopicMoment {
    /**
     * The offset behind the last one that is read, of each topic partition.
     *
     * @throws BrokerException with a sentence, if the topic has no such moment
     */
    Map<Integer, Long> offsets(TopicAdmin admin, String topic);

    /** Up to what is committed now. */
    record Now() implements TopicMoment {
        @Override
        public Map<Integer, Long> offsets(TopicAdmin admin, String topic) {
            return admin.endOffsets(topic);
        }
    }

    /**
     * Up to an offset of each topic partition.
     *
     * @param behind the first one that is not read, by topic partition; of all that there are, or the moment would not
     *     stay the same when the others grow
     */
    record AtOffsets(Map<Integer, Long> behind) implements TopicMoment {
        public AtOffsets {
            behind = Map.copyOf(behind);
        }

        @Override
        public Map<Integer, Long> offsets(TopicAdmin admin, String topic) {
            admin.requireOffsets("--until", topic, behind);
            Map<Integer, Long> ends = admin.endOffsets(topic);
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
     * Up to the first record of each topic partition whose timestamp is that of the moment or later; to its end if
     * there is none.
     */
    record AtTime(Instant time) implements TopicMoment {
        @Override
        public Map<Integer, Long> offsets(TopicAdmin admin, String topic) {
            Map<Integer, Long> offsets = new TreeMap<>();
            admin.endOffsets(topic).forEach((topicPartition, end) -> {
                // What is not committed yet may lie at that time, too.
                long at = admin.offsetAt(topic, topicPartition, time).orElse(end);
                offsets.put(topicPartition, Math.min(at, end));
            });
            return offsets;
        }
    }
}
