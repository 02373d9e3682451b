package io.cutwater.flink.connector.topic;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Positions of a consumer after the last record that it returned. Transaction markers lie there, which are no records:
 * when retention has deleted them, an offset right after the last record looks like a lost one.
 *
 * <p>Kafka creates an interceptor by its class name only, so the consumer's settings lead it to the reader's object.
 */
final class ReadPositions implements AutoCloseable {
    private static final String KEY = "cutwater.read.positions";
    private static final Map<String, ReadPositions> OPEN = new ConcurrentHashMap<>();

    private final String id = UUID.randomUUID().toString();
    private final Map<TopicPartition, Jump> jumps = new ConcurrentHashMap<>();

    /** A range of offsets without a record. */
    private record Jump(long from, long to) {}

    ReadPositions() {
        OPEN.put(id, this);
    }

    /** Makes the consumer with these settings report its positions. */
    void register(Properties consumer) {
        String others = consumer.getProperty(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, "");
        consumer.setProperty(
                ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
                others.isBlank() ? Interceptor.class.getName() : others + "," + Interceptor.class.getName());
        consumer.setProperty(KEY, id);
    }

    /** Sets the offset at which the consumer begins. */
    void begin(TopicPartition topicPartition, long offset) {
        jumps.put(topicPartition, new Jump(offset, offset));
    }

    /** Returns the offset up to which no record follows the given one: that offset, or a later one. */
    long behind(TopicPartition topicPartition, long offset) {
        Jump jump = jumps.get(topicPartition);
        return jump != null && jump.from == offset ? jump.to : offset;
    }

    private void see(ConsumerRecords<byte[], byte[]> records) {
        for (Map.Entry<TopicPartition, OffsetAndMetadata> next :
                records.nextOffsets().entrySet()) {
            List<ConsumerRecord<byte[], byte[]>> read = records.records(next.getKey());
            long to = next.getValue().offset();
            jumps.computeIfPresent(
                    next.getKey(),
                    (topicPartition, before) -> new Jump(
                            read.isEmpty()
                                    ? before.from
                                    : read.get(read.size() - 1).offset() + 1,
                            to));
        }
    }

    @Override
    public void close() {
        OPEN.remove(id);
    }

    /** Called by Kafka's consumer in its own thread with the records of each poll. */
    public static final class Interceptor implements ConsumerInterceptor<byte[], byte[]> {
        private String id = "";

        @Override
        public void configure(Map<String, ?> settings) {
            id = String.valueOf(settings.get(KEY));
        }

        @Override
        public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
            ReadPositions positions = OPEN.get(id);
            if (positions != null) {
                positions.see(records);
            }
            return records;
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
            // Positions are in the job's checkpoints.
        }

        @Override
        public void close() {
            // The reader closes its own object.
        }
    }
}
