package io.cutwater.kafka.reader;

import java.util.zip.CRC32C;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The last record that was read of a topic partition. A log that was truncated and has grown again holds another one at
 * its offset.
 *
 * @param offset of the record
 * @param leaderEpoch in which it was written, {@link #NO_EPOCH} if the broker does not tell
 * @param hash of its key, value and timestamp
 */
public record ReadMark(long offset, int leaderEpoch, long hash) {
    /** A leader epoch that is not known. */
    public static final int NO_EPOCH = -1;

    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    /** The mark of one record. */
    public static ReadMark of(ConsumerRecord<byte[], byte[]> record) {
        long hash = (record.timestamp() * MULTIPLIER + crc(record.key())) * MULTIPLIER + crc(record.value());
        return new ReadMark(record.offset(), record.leaderEpoch().orElse(NO_EPOCH), hash);
    }

    // Null is another value than an empty one.
    private static long crc(byte @Nullable [] bytes) {
        if (bytes == null) {
            return -1;
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return crc.getValue();
    }
}
