package io.cutwater.flink.connector;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;

/** A topic without an end, committed records only, with the topic partitions that are added to it later. */
final class LiveTopicSource {
    private static final String DISCOVERY_MILLIS = "10000";

    private LiveTopicSource() {}

    /**
     * A source of that topic; a restored job goes on from the offsets of its checkpoint instead.
     *
     * @param from first offset by topic partition, of all that there are at the start; empty for their beginnings
     * @param client more settings of the Kafka client
     */
    static <T> KafkaSource<T> of(
            String bootstrapServers,
            String topic,
            Map<Integer, Long> from,
            KafkaRecordDeserializationSchema<T> records,
            Map<String, String> client) {
        Properties properties = committedOnly(client);
        properties.setProperty(KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key(), DISCOVERY_MILLIS);
        return KafkaSource.<T>builder()
                .setBootstrapServers(bootstrapServers)
                .setTopics(topic)
                .setStartingOffsets(
                        from.isEmpty() ? OffsetsInitializer.earliest() : new NamedOffsets(offsets(topic, from)))
                .setDeserializer(records)
                .setProperties(properties)
                .build();
    }

    /** The settings of a client that passes over what belongs to a transaction that is aborted later. */
    static Properties committedOnly(Map<String, String> client) {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        return properties;
    }

    static Map<TopicPartition, Long> offsets(String topic, Map<Integer, Long> byPartition) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        byPartition.forEach((partition, offset) -> offsets.put(new TopicPartition(topic, partition), offset));
        return offsets;
    }
}
