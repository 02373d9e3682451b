package io.cutwater.flink.connector;

import io.cutwater.state.graph.EdgeBatch;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;

/** A topic as a source: without an end, or a stretch of it. */
public final class EdgeTopicSource {
    private static final String DISCOVERY_MILLIS = "10000";

    private EdgeTopicSource() {}

    /** @param passes how often the topic is read, at least 1 */
    static Source<EdgeBatch, ?, ?> create(EdgeInput.Topic input, int passes) {
        return passes == 1 ? onePass(input) : new TopicPassesSource(input, passes);
    }

    /** Without an end; a restored job goes on from the offsets of its checkpoint instead. */
    public static KafkaSource<EdgeBatch> live(EdgeInput.LiveTopic input) {
        Properties properties = clientProperties(input.properties());
        properties.setProperty(KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key(), DISCOVERY_MILLIS);
        Map<TopicPartition, Long> from = offsets(input.topic(), input.from());
        return KafkaSource.<EdgeBatch>builder()
                .setBootstrapServers(input.bootstrapServers())
                .setTopics(input.topic())
                .setStartingOffsets(from.isEmpty() ? OffsetsInitializer.earliest() : new NamedOffsets(from))
                .setDeserializer(new EdgeEventDeserializer(input.format(), input.takesRemovals()))
                .setProperties(properties)
                .build();
    }

    private static KafkaSource<EdgeBatch> onePass(EdgeInput.Topic input) {
        Map<TopicPartition, Long> from = offsets(input.topic(), input.from());
        return KafkaSource.<EdgeBatch>builder()
                .setBootstrapServers(input.bootstrapServers())
                .setPartitions(new HashSet<>(from.keySet()))
                .setStartingOffsets(OffsetsInitializer.offsets(from))
                .setBounded(OffsetsInitializer.offsets(offsets(input.topic(), input.until())))
                .setDeserializer(new EdgeEventDeserializer(input.format(), false))
                .setProperties(clientProperties(input.properties()))
                .build();
    }

    private static Properties clientProperties(Map<String, String> given) {
        Properties properties = new Properties();
        properties.putAll(given);
        // An edge of a transaction that is aborted later must not be placed.
        properties.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        return properties;
    }

    private static Map<TopicPartition, Long> offsets(String topic, Map<Integer, Long> byPartition) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        byPartition.forEach((partition, offset) -> offsets.put(new TopicPartition(topic, partition), offset));
        return offsets;
    }
}
