package io.cutwater.kafka.event.mapped;

/**
 * A table of edges was truncated: its rows are gone from the database, while their edges are in the graph. Thrown
 * because nothing that comes later can tell which edges they were.
 */
public final class TruncatedTableException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    TruncatedTableException() {
        super("the table of the edges was truncated, and its edges are still in the graph; --on-truncate ignore keeps"
                + " them, --on-truncate remove removes them if edges have keys (--edge-key), and a job with another"
                + " --topic-prefix begins a graph without them");
    }

    private TruncatedTableException(String message) {
        super(message);
    }

    /** Returns the exception for a topic of which a truncate has no place in the order. */
    public static TruncatedTableException outOfOrder(String topic, int topicPartition) {
        return new TruncatedTableException(
                "topic %s has a record in partition %d, and --on-truncate remove needs a topic with one partition, because the order of a truncate against the records of other partitions is not known; create the topic with one, or choose fail or ignore"
                        .formatted(topic, topicPartition));
    }

    private TruncatedTableException(String record, TruncatedTableException cause) {
        super("%s: %s".formatted(record, cause.getMessage()), cause);
    }

    /** Returns this exception with the record that tells it. */
    public TruncatedTableException at(String topic, int topicPartition, long offset) {
        return new TruncatedTableException(
                "topic %s, partition %d, offset %d".formatted(topic, topicPartition, offset), this);
    }
}
