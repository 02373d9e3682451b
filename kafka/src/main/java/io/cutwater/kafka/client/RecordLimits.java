package io.cutwater.kafka.client;

/**
 * The size that every record of ours keeps to, below the mebibyte that brokers and producers take unless told
 * otherwise. Who makes a record keeps to it: data of a vertex become a dead letter, shards are cut into batches, models
 * into chunks, dead letters have the beginning of what was malformed, and reports and books are bounded by the largest
 * number of partitions. A larger record would be refused by the broker, and then again after every restart of the job.
 */
public final class RecordLimits {
    /** The largest value; the rest of the mebibyte is for key and headers. */
    public static final int MAX_VALUE_BYTES = 900 << 10;

    private RecordLimits() {}

    /**
     * Refuses data of a vertex that no record takes.
     *
     * @throws IllegalArgumentException with one sentence
     */
    public static void requireVertexFits(long vertex, byte[] data) {
        if (data.length > MAX_VALUE_BYTES) {
            throw new IllegalArgumentException("the data of vertex %d take %d bytes, and a record takes %d at most"
                    .formatted(vertex, data.length, MAX_VALUE_BYTES));
        }
    }

    /**
     * The value itself.
     *
     * @throws IllegalStateException if it is too large, which its maker should have seen to
     */
    public static byte[] requireFits(String topic, byte[] value) {
        if (value.length > MAX_VALUE_BYTES) {
            throw new IllegalStateException(
                    "a record for topic %s has a value of %d bytes, and a record takes %d at most; please report this as a defect"
                            .formatted(topic, value.length, MAX_VALUE_BYTES));
        }
        return value;
    }
}
