package io.cutwater.kafka.client;

/**
 * The maximum size of all our records, below the mebibyte that brokers and producers accept by default. Larger data are
 * cut or rejected before they become a record: vertex data become a dead letter, shards are cut into batches, models
 * into pieces, dead letters keep the beginning of the value, and reports and books are bounded by the largest number of
 * partitions. The broker would reject a larger record again after every restart of the job.
 */
public final class RecordLimits {
    /** The largest value; the rest of the mebibyte is for key and headers. */
    public static final int MAX_VALUE_BYTES = 900 << 10;

    private RecordLimits() {}

    /**
     * Checks that the data of a vertex fit in a record.
     *
     * @throws IllegalArgumentException if they do not; the message names the vertex
     */
    public static void requireVertexFits(long vertex, byte[] data) {
        if (data.length > MAX_VALUE_BYTES) {
            throw new IllegalArgumentException("the data of vertex %d take %d bytes, and a record takes %d at most"
                    .formatted(vertex, data.length, MAX_VALUE_BYTES));
        }
    }

    /**
     * Returns the value itself.
     *
     * @throws IllegalStateException if it is too large, which its creator should have prevented
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
