package io.cutwater.kafka.reader;

import java.util.zip.CRC32C;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the last record read of a topic partition, because a log that was truncated and has grown again holds
 * another record at its offset.
 *
 * @param offset of the record
 * @param leaderEpoch in which it was written, {@link #NO_EPOCH} if the broker does not tell
 * @param hash of its key, value and timestamp
 */
public record ReadMark(long offset, int leaderEpoch, long hash) {
    /** An unknown leader epoch. */
    public static final int NO_EPOCH = -1;

    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    /** Creates the mark of a record. */
    public static ReadMark of(ConsumerRecord<byte[], byte[]> record) {
        long hash = (record.timestamp() * MULTIPLIER + crc(record.key())) * MULTIPLIER + crc(record.value());
        return new ReadMark(record.offset(), record.leaderEpoch().orElse(NO_EPOCH), hash);
    }

    // Null is a different value from empty.
    private static long crc(byte @Nullable [] bytes) {
        if (bytes == null) {
            return -1;
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return crc.getValue();
    }
}
