package io.cutwater.kafka.client;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The settings of all plain clients. Further properties, such as those of TLS, override them. */
public final class ClientSettings {
    private ClientSettings() {}

    /**
     * Returns producer settings for throughput without loss, duplicates, or reordering: idempotent, all replicas, large
     * batches.
     */
    public static Map<String, Object> producer(String bootstrapServers, Map<String, ?> properties) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        // With more requests in flight, a partition that opens between the first two batches accepts the second as the
        // first, and rejects the first until it expires: 3 of 150 new topics, 0 with one in flight.
        settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 20);
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 512 << 10);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 32L << 20);
        settings.putAll(properties);
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        return settings;
    }

    /** Returns consumer settings for committed records only, in large fetches, without a consumer group. */
    public static Map<String, Object> consumer(String bootstrapServers, Map<String, ?> properties) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
        // A reader at the end closes no sooner than its last fetch returns.
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 4 << 20);
        settings.putAll(properties);
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        return settings;
    }
}
