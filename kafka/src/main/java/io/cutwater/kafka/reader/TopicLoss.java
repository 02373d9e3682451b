package io.cutwater.kafka.reader;

/**
 * Lost records, at which a reader of a topic partition cannot continue.
 *
 * @param from the first offset that is lost
 * @param until the offset after the last one that is lost
 * @param next where a reader that accepts the loss continues
 * @param end the offset after the last record of the topic partition, or its first offset if records were deleted
 */
public record TopicLoss(int topicPartition, Kind kind, long from, long until, long next, long end) {
    /** The causes of a loss. */
    public enum Kind {
        /** Retention, or a user, has deleted records before they were read. */
        GONE,
        /** The log ends before the position: the broker has lost records that were read. */
        BEYOND,
        /**
         * The log was truncated and has grown again: there are other records before the position than those that were
         * read.
         */
        REPLACED,
        /** The topic partition no longer exists. */
        MISSING
    }

    /** Describes the loss as a clause without a full stop, for a message. */
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
