package io.cutwater.kafka.reader;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A committed record that a {@link TopicFollower} has read.
 *
 * @param time milliseconds since the epoch, set by the producer or the broker
 * @param value null for a tombstone
 * @param headers values as text, by name; of several with one name the last
 */
@SuppressWarnings("ArrayRecordComponent") // passed on and not compared
public record FollowedRecord(
        String topic,
        int topicPartition,
        long offset,
        long time,
        byte @Nullable [] key,
        byte @Nullable [] value,
        Map<String, String> headers) {}
