package io.cutwater.kafka.book;

import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.BrokerException;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads committed records of topic {@code partition-book}; records of one vertex come in order. */
public final class BookTopicReader {
    private final TopicReader reader;

    /** Receives the entries of the book; the last entry of a vertex counts. */
    public interface BookHandler {
        void entry(PartitionBookEntry entry);

        /** The vertex no longer exists. */
        void gone(long vertex);
    }

    /** @param properties further client properties, such as those of TLS */
    public BookTopicReader(String bootstrapServers, Map<String, ?> properties) {
        reader = new TopicReader(bootstrapServers, properties);
    }

    /**
     * Passes the records of some topic partitions to the handler.
     *
     * @param begins offset of the first record, by number of topic partition
     * @param ends offset after the last record of each topic partition to read
     * @return the number of records
     * @throws BrokerException if the topic cannot be read, or holds a malformed record
     */
    public long read(String topic, Map<Integer, Long> begins, Map<Integer, Long> ends, BookHandler handler) {
        PartitionBookCodec codec = new PartitionBookCodec();
        return reader.read(topic, begins, ends, record -> handle(record, codec, handler));
    }

    private static void handle(ConsumerRecord<byte[], byte[]> record, PartitionBookCodec codec, BookHandler handler) {
        PartitionBookEntry entry = null;
        long vertex;
        try {
            vertex = PartitionBookCodec.vertex(record.key());
            if (record.value() != null) {
                entry = codec.decode(record.key(), record.value());
            }
        } catch (IllegalArgumentException e) {
            throw new BrokerException(
                    "topic %s, topic partition %d, offset %d is not a record of a partition book: %s; check --topic-prefix"
                            .formatted(record.topic(), record.partition(), record.offset(), e.getMessage()),
                    e);
        }
        if (entry == null) {
            handler.gone(vertex);
        } else {
            handler.entry(entry);
        }
    }
}
