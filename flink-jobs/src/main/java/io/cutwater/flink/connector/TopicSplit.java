package io.cutwater.flink.connector;

import io.cutwater.kafka.reader.ReadMark;
import io.cutwater.kafka.topic.TopicIdentity;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.jspecify.annotations.Nullable;

/**
 * A topic partition, how far it was read, and what tells that it is still the same one.
 *
 * @param place of Flink's Kafka source
 * @param identity of the topic; null as long as it was not read, and in the state of earlier builds
 * @param last the last record that was read; null if there is none
 * @param lost offsets that were deleted before they were read, and that somebody has accepted
 * @param run of the job that wrote this state; empty as long as it was not read
 */
public record TopicSplit(
        KafkaPartitionSplit place,
        @Nullable TopicIdentity identity,
        @Nullable ReadMark last,
        long lost,
        String run) implements SourceSplit {
    /** In place of the run in the state of builds that knew none. */
    static final String EARLIER_BUILD = "of an earlier build";

    /** One that was not read yet. */
    public static TopicSplit fresh(KafkaPartitionSplit place) {
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
