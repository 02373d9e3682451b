package io.cutwater.flink.connector;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/**
 * Begins a topic at the offsets that are named, and at the beginning of the topic partitions that came later. Flink's
 * own initializer asks for the offsets of a consumer group for those, and fails where there is none.
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
        Set<TopicPartition> later = new HashSet<>(topicPartitions);
        later.removeAll(begin.keySet());
        if (!later.isEmpty()) {
            begin.putAll(retriever.beginningOffsets(later));
        }
        return begin;
    }

    /** None: records that are gone before they were read would be a gap that nobody sees. */
    @Override
    public OffsetResetStrategy getAutoOffsetResetStrategy() {
        return OffsetResetStrategy.NONE;
    }
}
