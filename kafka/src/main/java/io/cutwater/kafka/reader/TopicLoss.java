package io.cutwater.kafka.reader;

/**
 * Records that a reader of a topic partition cannot go on behind, or that it would miss.
 *
 * @param from the first offset that is lost
 * @param until the offset behind the last one that is lost
 * @param next where a reader that accepts the loss goes on
 * @param end the offset behind the last record of the topic partition, or its first offset if records are gone
 */
public record TopicLoss(int topicPartition, Kind kind, long from, long until, long next, long end) {
    /** The ways in which a place in a topic is lost. */
    public enum Kind {
        /** Retention, or somebody, has deleted records before they were read. */
        GONE,
        /** The log ends before the place: the broker has lost records that were read. */
        BEYOND,
        /** The log was truncated and has grown again: before the place are other records than those that were read. */
        REPLACED,
        /** There is no such topic partition any more. */
        MISSING
    }

    /** One clause without a full stop, such as for an error. */
    public String describe(String topic) {
        return switch (kind) {
            case GONE ->
                "topic %s, topic partition %d: offsets %d to %d were deleted before they were read; it begins at offset %d now"
                        .formatted(topic, topicPartition, from, until - 1, end);
            case BEYOND ->
                "topic %s, topic partition %d: offsets %d to %d were read and the broker has lost them; its log ends at offset %d now"
                        .formatted(topic, topicPartition, from, until - 1, end);
            case REPLACED ->
                "topic %s, topic partition %d: offsets %d to %d were read and hold other records now, so the broker has lost those that were read"
                        .formatted(topic, topicPartition, from, until - 1);
            case MISSING ->
                "topic %s has no topic partition %d any more, which was read up to offset %d"
                        .formatted(topic, topicPartition, until);
        };
    }
}
