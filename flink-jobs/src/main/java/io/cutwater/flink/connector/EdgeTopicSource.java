package io.cutwater.flink.connector;

import io.cutwater.state.graph.EdgeBatch;
import java.util.HashSet;
import java.util.Map;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.common.TopicPartition;

/** A topic as a source: without an end, or a stretch of it. */
public final class EdgeTopicSource {
    private EdgeTopicSource() {}

    /** @param passes how often the topic is read, at least 1 */
    static Source<EdgeBatch, ?, ?> create(EdgeInput.Topic input, int passes) {
        return passes == 1 ? onePass(input) : new TopicPassesSource(input, passes);
    }

    /** Without an end; a restored job goes on from the offsets of its checkpoint instead. */
    public static KafkaSource<EdgeBatch> live(EdgeInput.LiveTopic input) {
        return LiveTopicSource.of(
                input.bootstrapServers(),
                input.topic(),
                input.from(),
                new EdgeEventDeserializer(input.format(), input.takesRemovals()),
                input.properties());
    }

    private static KafkaSource<EdgeBatch> onePass(EdgeInput.Topic input) {
        Map<TopicPartition, Long> from = LiveTopicSource.offsets(input.topic(), input.from());
        return KafkaSource.<EdgeBatch>builder()
                .setBootstrapServers(input.bootstrapServers())
                .setPartitions(new HashSet<>(from.keySet()))
                .setStartingOffsets(OffsetsInitializer.offsets(from))
                .setBounded(OffsetsInitializer.offsets(LiveTopicSource.offsets(input.topic(), input.until())))
                .setDeserializer(new EdgeEventDeserializer(input.format(), false))
                .setProperties(LiveTopicSource.committedOnly(input.properties()))
                .build();
    }
}
