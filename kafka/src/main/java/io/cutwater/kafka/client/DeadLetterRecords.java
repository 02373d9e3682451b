package io.cutwater.kafka.client;

import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.state.graph.RejectedRecord;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Encodes and decodes records of topic {@code dead-letters}: the original key and the first 64 KiB of the original
 * value, and headers in UTF-8 text: {@code reason}, {@code topic} (or the file's path), {@code partition} (−1 for a
 * file), {@code offset} (the line or row of a file, from 1), {@code length} (bytes of the whole value) and
 * {@code sha256} (of the whole value, in hexadecimal digits).
 */
public final class DeadLetterRecords {
    public static final String REASON = "reason";
    public static final String TOPIC = "topic";
    public static final String PARTITION = "partition";
    public static final String OFFSET = "offset";
    public static final String LENGTH = "length";
    public static final String SHA256 = "sha256";

    private DeadLetterRecords() {}

    /**
     * Encodes a rejected record.
     *
     * @param topic the dead-letter topic
     */
    public static ProducerRecord<byte[], byte[]> toRecord(String topic, RejectedRecord rejected) {
        ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(topic, rejected.key(), rejected.value());
        letter.headers()
                .add(REASON, utf8(rejected.reason()))
                .add(TOPIC, utf8(rejected.origin()))
                .add(PARTITION, utf8(Integer.toString(rejected.topicPartition())))
                .add(OFFSET, utf8(Long.toString(rejected.offset())))
                .add(LENGTH, utf8(Long.toString(rejected.valueLength())))
                .add(SHA256, utf8(HexFormat.of().formatHex(rejected.valueSha256())));
        return letter;
    }

    /** Creates a rejected record from a malformed one; a missing value becomes an empty one. */
    public static RejectedRecord rejected(ConsumerRecord<byte[], byte[]> record, IllegalArgumentException reason) {
        return new RejectedRecord(
                String.valueOf(reason.getMessage()),
                record.topic(),
                record.partition(),
                record.offset(),
                record.key(),
                record.value() == null ? new byte[0] : record.value());
    }

    /**
     * Decodes the rejected record of a dead letter.
     *
     * @throws BrokerException if a header is missing or not a number
     */
    public static RejectedRecord fromRecord(ConsumerRecord<byte[], byte[]> letter) {
        byte[] value = letter.value() == null ? new byte[0] : letter.value();
        try {
            RejectedRecord rejected = new RejectedRecord(
                    header(letter, REASON),
                    header(letter, TOPIC),
                    Integer.parseInt(header(letter, PARTITION)),
                    Long.parseLong(header(letter, OFFSET)),
                    letter.key(),
                    value);
            // Dead letters of earlier builds have the whole value, and no header for its length.
            return letter.headers().lastHeader(LENGTH) == null ? rejected : withWhole(rejected, letter);
        } catch (IllegalArgumentException e) {
            throw new BrokerException(
                    "topic %s, topic partition %d, offset %d is not a dead letter: %s"
                            .formatted(letter.topic(), letter.partition(), letter.offset(), e.getMessage()),
                    e);
        }
    }

    private static RejectedRecord withWhole(RejectedRecord rejected, ConsumerRecord<byte[], byte[]> letter) {
        return new RejectedRecord(
                rejected.reason(),
                rejected.origin(),
                rejected.topicPartition(),
                rejected.offset(),
                rejected.key(),
                rejected.value(),
                Long.parseLong(header(letter, LENGTH)),
                HexFormat.of().parseHex(header(letter, SHA256)));
    }

    private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
        Header header = letter.headers().lastHeader(name);
        if (header == null) {
            throw new IllegalArgumentException("it has no header '%s'".formatted(name));
        }
        return new String(header.value(), StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
