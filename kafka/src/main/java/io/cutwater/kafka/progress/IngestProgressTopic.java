package io.cutwater.kafka.progress;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Reads the committed progress of files; each call continues where the last one stopped. */
public final class IngestProgressTopic implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    /** Longer than the broker lets one of our transactions stay open. */
    private static final Duration STALL_TIMEOUT = Duration.ofSeconds(120);

    private final String bootstrapServers;
    private final String topic;
    private final Set<String> keys;
    private final TopicAdmin admin;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<String, IngestProgress> byKey = new HashMap<>();

    /** @param keys of the files to look up, in hexadecimal digits */
    public IngestProgressTopic(
            String bootstrapServers, Map<String, String> properties, String topic, Set<String> keys) {
        this.bootstrapServers = bootstrapServers;
        this.topic = topic;
        this.keys = keys;
        admin = TopicAdmin.connect(bootstrapServers, properties);
        try {
            Set<Integer> topicPartitions = admin.offsets().beginnings(topic).keySet();
            consumer = new KafkaConsumer<>(ClientSettings.consumer(bootstrapServers, properties));
            consumer.assign(topicPartitions.stream()
                    .map(p -> new TopicPartition(topic, p))
                    .toList());
            consumer.seekToBeginning(consumer.assignment());
        } catch (BrokerException e) {
            admin.close();
            throw e;
        } catch (KafkaException e) {
            admin.close();
            throw notRead(e);
        }
    }

    /**
     * Returns the progress that was committed for a file before this call.
     *
     * @throws BrokerException if the topic cannot be read
     */
    public synchronized Optional<IngestProgress> read(String key) {
        try {
            catchUp();
        } catch (KafkaException e) {
            throw notRead(e);
        }
        return Optional.ofNullable(byKey.get(key));
    }

    // Not to the last committed record: an open transaction of another file hides what was committed after it.
    private void catchUp() {
        Map<Integer, Long> ends = admin.offsets().written(topic);
        long lastRecord = System.nanoTime();
        while (ends.entrySet().stream()
                .anyMatch(end -> consumer.position(new TopicPartition(topic, end.getKey())) < end.getValue())) {
            var records = consumer.poll(POLL);
            records.forEach(this::take);
            if (!records.isEmpty()) {
                lastRecord = System.nanoTime();
            } else if (System.nanoTime() - lastRecord > STALL_TIMEOUT.toNanos()) {
                throw new BrokerException(
                        "topic %s at %s is held up by an open transaction for %d s; end the ingest that has it open"
                                .formatted(topic, bootstrapServers, STALL_TIMEOUT.toSeconds()));
            }
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        String key = record.key() == null ? "" : HexFormat.of().formatHex(record.key());
        if (!keys.contains(key)) {
            return;
        }
        if (record.value() == null) {
            byKey.remove(key);
            return;
        }
        try {
            byKey.put(key, IngestProgress.decode(record.value()));
        } catch (IllegalArgumentException e) {
            throw new BrokerException(
                    "topic %s, topic partition %d, offset %d is not a record of a file's progress: %s"
                            .formatted(topic, record.partition(), record.offset(), e.getMessage()),
                    e);
        }
    }

    private BrokerException notRead(KafkaException e) {
        return new BrokerException(
                "cannot read topic %s at %s: %s".formatted(topic, bootstrapServers, e.getMessage()), e);
    }

    @Override
    public synchronized void close() {
        try (admin) {
            consumer.close();
        }
    }
}
