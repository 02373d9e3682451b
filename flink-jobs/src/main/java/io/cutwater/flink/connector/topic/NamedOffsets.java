package io.cutwater.flink.connector.topic;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/**
 * Starts a topic at the given offsets, and the other topic partitions at their beginnings. Flink's own initializers
 * fall back to the beginning if the offsets of a checkpoint are gone.
 */
final class NamedOffsets implements OffsetsInitializer {
    private static final long serialVersionUID = 1;

    private final HashMap<TopicPartition, Long> offsets;

    NamedOffsets(Map<TopicPartition, Long> offsets) {
        this.offsets = new HashMap<>(offsets);
    }

    @Override
    public Map<TopicPartition, Long> getPartitionOffsets(
            Collection<TopicPartition> topicPartitions, PartitionOffsetsRetriever retriever) {
        Map<TopicPartition, Long> begin = new HashMap<>(offsets);
        begin.keySet().retainAll(topicPartitions);
        topicPartitions.forEach(
                topicPartition -> begin.putIfAbsent(topicPartition, KafkaPartitionSplit.EARLIEST_OFFSET));
        return begin;
    }

    /** Returns no strategy for lost offsets: a reset would skip deleted records without an error. */
    @Override
    public OffsetResetStrategy getAutoOffsetResetStrategy() {
        return OffsetResetStrategy.NONE;
    }
}
