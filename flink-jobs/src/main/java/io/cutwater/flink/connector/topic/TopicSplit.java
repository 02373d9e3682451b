package io.cutwater.flink.connector.topic;

import io.cutwater.kafka.reader.ReadMark;
import io.cutwater.kafka.topic.TopicIdentity;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.jspecify.annotations.Nullable;

/**
 * A topic partition, its position, and the marks by which a restored reader recognizes it.
 *
 * @param place split of Flink's Kafka source
 * @param identity of the topic; null until it was read, and in the state of earlier builds
 * @param last the last record that was read; null if there is none
 * @param lost accepted offsets that were deleted before they were read
 * @param run of the job that wrote this state; empty until it was read
 */
public record TopicSplit(
        KafkaPartitionSplit place,
        @Nullable TopicIdentity identity,
        @Nullable ReadMark last,
        long lost,
        String run) implements SourceSplit {
    /** Stands for the run in the state of builds that did not record it. */
    static final String EARLIER_BUILD = "of an earlier build";

    /** Creates a split that has not been read. */
    static TopicSplit fresh(KafkaPartitionSplit place) {
        return new TopicSplit(place, null, null, 0, "");
    }

    static TopicSplit ofEarlierBuild(KafkaPartitionSplit place) {
        return new TopicSplit(place, null, null, 0, EARLIER_BUILD);
    }

    TopicSplit at(KafkaPartitionSplit other) {
        return new TopicSplit(other, identity, last, lost, run);
    }

    boolean isOfEarlierBuild() {
        return run.equals(EARLIER_BUILD);
    }

    @Override
    public String splitId() {
        return place.splitId();
    }
}
