package io.cutwater.flink.connector;

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
 * How far a consumer stands behind the last record that it gave. The marks of transactions lie there, which are no
 * records: when retention has deleted them, an offset right behind the last record looks like one that was lost.
 *
 * <p>Kafka makes an interceptor by its name only, so that the consumer's settings lead it to the reader's object.
 */
final class ReadPositions implements AutoCloseable {
    private static final String KEY = "cutwater.read.positions";
    private static final Map<String, ReadPositions> OPEN = new ConcurrentHashMap<>();

    private final String id = UUID.randomUUID().toString();
    private final Map<TopicPartition, Jump> jumps = new ConcurrentHashMap<>();

    /** Between the two offsets there is no record. */
    private record Jump(long from, long to) {}

    ReadPositions() {
        OPEN.put(id, this);
    }

    /** Has the consumer with these settings tell where it stands. */
    void register(Properties consumer) {
        String others = consumer.getProperty(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, "");
        consumer.setProperty(
                ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
                others.isBlank() ? Interceptor.class.getName() : others + "," + Interceptor.class.getName());
        consumer.setProperty(KEY, id);
    }

    /** The consumer begins there. */
    void begin(TopicPartition topicPartition, long offset) {
        jumps.put(topicPartition, new Jump(offset, offset));
    }

    /** The offset up to which there is no record behind another offset: that one, or a later one. */
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

    /** What Kafka's consumer calls in its own thread, with what each poll gives. */
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
            // The places are in the job's checkpoints.
        }

        @Override
        public void close() {
            // The reader closes its own object.
        }
    }
}
