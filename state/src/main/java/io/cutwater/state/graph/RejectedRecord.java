package io.cutwater.state.graph;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A record of the input that is not an edge: a dead letter with its reason and origin. It is bounded however large the
 * record was, so that what holds it in memory, sends it or writes it to a topic can always do so: the length and the
 * SHA-256 of the whole value tell what was cut off.
 *
 * @param reason one sentence: what is wrong with it; at most {@value #MAX_REASON_CHARS} characters
 * @param origin the file's path or the topic's name; at most {@value #MAX_ORIGIN_CHARS} characters
 * @param topicPartition the topic partition, or -1 for a file
 * @param offset the Kafka offset, or the 1-based line (row) of the file
 * @param key the first bytes of the record's key, at most {@value #MAX_KEY_BYTES}; null where it has none
 * @param value the first bytes of the record's value, at most {@value #MAX_VALUE_BYTES}
 * @param valueLength bytes of the whole value, at least those of {@code value}
 * @param valueSha256 SHA-256 of the whole value, 32 bytes
 */
public record RejectedRecord(
        String reason,
        String origin,
        int topicPartition,
        long offset,
        byte @Nullable [] key,
        byte[] value,
        long valueLength,
        byte[] valueSha256) {
    public static final int MAX_VALUE_BYTES = 64 << 10;
    public static final int MAX_KEY_BYTES = 8 << 10;
    public static final int MAX_REASON_CHARS = 2048;
    /** The longest path that Linux takes. */
    public static final int MAX_ORIGIN_CHARS = 4096;

    /** The most bytes of a UTF-8 character after its first. */
    private static final int MAX_CONTINUATION_BYTES = 3;

    // Not in its compact form, in which the compiler forgets that the key may be null.
    public RejectedRecord(
            String reason,
            String origin,
            int topicPartition,
            long offset,
            byte @Nullable [] key,
            byte[] value,
            long valueLength,
            byte[] valueSha256) {
        this.reason = cut(reason, MAX_REASON_CHARS);
        this.origin = cut(origin, MAX_ORIGIN_CHARS);
        this.topicPartition = topicPartition;
        this.offset = offset;
        this.key = key == null ? null : cut(key, MAX_KEY_BYTES);
        this.value = cut(value, MAX_VALUE_BYTES);
        this.valueLength = valueLength;
        this.valueSha256 = valueSha256;
    }

    /**
     * A record as it came.
     *
     * @param key the whole key
     * @param value the whole value
     */
    public RejectedRecord(
            String reason, String origin, int topicPartition, long offset, byte @Nullable [] key, byte[] value) {
        this(reason, origin, topicPartition, offset, key, value, value.length, sha256(value));
    }

    /** Returns whether {@code value} is the whole value. */
    boolean isWhole() {
        return value.length == valueLength;
    }

    private static String cut(String text, int limit) {
        if (text.length() <= limit) {
            return text;
        }
        int end = limit - 1;
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + '…';
    }

    /** Text in UTF-8 ends with a whole character. */
    private static byte[] cut(byte[] bytes, int limit) {
        if (bytes.length <= limit) {
            return bytes;
        }
        int end = limit;
        while (end > limit - MAX_CONTINUATION_BYTES && (bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    private static byte[] sha256(byte[] value) {
        return Hashing.sha256().digest(value);
    }
}
