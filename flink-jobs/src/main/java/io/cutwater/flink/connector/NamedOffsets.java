package io.cutwater.flink.connector;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/**
 * Begins a topic at the offsets that are named, and at the beginning of the other topic partitions, whose reader looks
 * for it. Flink's own initializers go on at the beginning also where the offsets of a checkpoint are gone.
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

    /** None: records that are gone before they were read would be a gap that nobody sees. */
    @Override
    public OffsetResetStrategy getAutoOffsetResetStrategy() {
        return OffsetResetStrategy.NONE;
    }
}
