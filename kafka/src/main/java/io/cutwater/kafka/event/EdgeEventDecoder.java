package io.cutwater.kafka.event;

import io.cutwater.state.graph.EdgeBatch;
import org.jspecify.annotations.Nullable;

/**
 * Decodes records of topic {@code edges}; see {@link EdgeEventFormat#decoder()}. Not thread-safe: use one decoder per
 * thread.
 */
@FunctionalInterface
public interface EdgeEventDecoder {
    /**
     * Appends the edges of a record to the batch, or rejects the record there with its reason. Never throws, whatever
     * the bytes; a rejected record adds no edge.
     */
    void decode(
            String topic,
            int topicPartition,
            long offset,
            byte @Nullable [] key,
            byte @Nullable [] value,
            EdgeBatch into);
}
