package io.cutwater.kafka.reader;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads committed records of a topic or a part of it, in order within each topic partition, up to the end at the time
 * of the call or to a given end.
 */
public final class TopicReader {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration STALL_TIMEOUT = Duration.ofSeconds(60);

    private final String bootstrapServers;
    private final Map<String, ?> properties;

    /** @param properties further client properties, such as those of TLS */
    public TopicReader(String bootstrapServers, Map<String, ?> properties) {
        this.bootstrapServers = bootstrapServers;
        this.properties = Map.copyOf(properties);
    }

    /**
     * Passes every record to the handler.
     *
     * @return the number of records
     * @throws BrokerException if the topic is missing, or the broker does not answer for a minute
     */
    public long readAll(String topic, Consumer<ConsumerRecord<byte[], byte[]>> handler) {
        return readTail(topic, Long.MAX_VALUE, handler);
    }

    /**
     * Passes the last records of each topic partition to the handler.
     *
     * @param offsets the number of offsets before the end of each, at least 0; transaction markers count, too
     * @return the number of records
     * @throws BrokerException as {@link #readAll} does
     */
    public long readTail(String topic, long offsets, Consumer<ConsumerRecord<byte[], byte[]>> handler) {
        return readWhile(topic, offsets, record -> {
            handler.accept(record);
            return true;
        });
    }

    /**
     * Passes the records of some topic partitions to the handler.
     *
     * @param begins offset of the first record, by number of topic partition
     * @param ends offset after the last record of each topic partition to read, at most that of
     *     {@link io.cutwater.kafka.topic.OffsetAdmin#ends}
     * @return the number of records
     * @throws BrokerException as {@link #readAll} does
     */
    public long read(
            String topic,
            Map<Integer, Long> begins,
            Map<Integer, Long> ends,
            Consumer<ConsumerRecord<byte[], byte[]>> handler) {
        return readWhile(topic, begins, ends, record -> {
            handler.accept(record);
            return true;
        });
    }

    /**
     * Returns whether the topic has no committed record.
     *
     * @throws BrokerException as {@link #readAll} does
     */
    public boolean isEmpty(String topic) {
        return readWhile(topic, Long.MAX_VALUE, record -> false) == 0;
    }

    private long readWhile(String topic, long offsets, Predicate<ConsumerRecord<byte[], byte[]>> handler) {
        Map<Integer, Long> begins;
        Map<Integer, Long> ends;
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            begins = admin.offsets().beginnings(topic);
            ends = admin.offsets().ends(topic);
        }
        begins.replaceAll((p, begin) -> Math.max(begin, ends.getOrDefault(p, 0L) - offsets));
        return readWhile(topic, begins, ends, handler);
    }

    /** @param handler returns whether it wants more */
    private long readWhile(
            String topic,
            Map<Integer, Long> begins,
            Map<Integer, Long> ends,
            Predicate<ConsumerRecord<byte[], byte[]>> handler) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(ClientSettings.consumer(bootstrapServers, properties))) {
            consumer.assign(ends.keySet().stream()
                    .map(p -> new TopicPartition(topic, p))
                    .toList());
            ends.keySet().forEach(p -> consumer.seek(new TopicPartition(topic, p), begins.getOrDefault(p, 0L)));
            return readTo(ends, consumer, topic, handler);
        } catch (KafkaException e) {
            throw new BrokerException(
                    "cannot read topic %s at %s: %s".formatted(topic, bootstrapServers, e.getMessage()), e);
        }
    }

    /** @param ends offset after the last record to read, by number of topic partition */
    private long readTo(
            Map<Integer, Long> ends,
            KafkaConsumer<byte[], byte[]> consumer,
            String topic,
            Predicate<ConsumerRecord<byte[], byte[]>> handler) {
        long count = 0;
        long lastProgress = System.nanoTime();
        while (stopAtEnds(ends, consumer)) {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            for (ConsumerRecord<byte[], byte[]> record : records) {
                if (record.offset() < ends.getOrDefault(record.partition(), 0L)) {
                    count++;
                    if (!handler.test(record)) {
                        return count;
                    }
                }
            }
            if (!records.isEmpty()) {
                lastProgress = System.nanoTime();
            } else if (System.nanoTime() - lastProgress > STALL_TIMEOUT.toNanos()) {
                throw new BrokerException("topic %s at %s gave no record for %d s; check the broker and its log"
                        .formatted(topic, bootstrapServers, STALL_TIMEOUT.toSeconds()));
            }
        }
        return count;
    }

    /** Pauses the topic partitions that have reached their end; returns false if all have. */
    private static boolean stopAtEnds(Map<Integer, Long> ends, KafkaConsumer<?, ?> consumer) {
        // The position also moves past transaction markers, which are not records.
        List<TopicPartition> open = consumer.assignment().stream()
                .filter(topicPartition ->
                        consumer.position(topicPartition) < ends.getOrDefault(topicPartition.partition(), 0L))
                .toList();
        if (open.size() < consumer.assignment().size()) {
            consumer.assign(open);
        }
        return !open.isEmpty();
    }
}
