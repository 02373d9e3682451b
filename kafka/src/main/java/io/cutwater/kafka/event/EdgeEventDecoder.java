package io.cutwater.kafka.event;

import io.cutwater.state.graph.EdgeBatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;

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
    void decode(ConsumerRecord<byte[], byte[]> record, EdgeBatch into);
}
