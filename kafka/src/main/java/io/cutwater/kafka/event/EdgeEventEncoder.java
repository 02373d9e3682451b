package io.cutwater.kafka.event;

import io.cutwater.state.graph.EdgeBatch;

/** Encodes the value of one record of topic {@code edges}; see {@link EdgeEventFormat#encoder()}. */
@FunctionalInterface
public interface EdgeEventEncoder {
    /**
     * Encodes the edges {@code from} to {@code to} (exclusive): exactly one unless the format
     * {@link EdgeEventFormat#holdsManyEdges() holds many}.
     *
     * @throws IllegalArgumentException if the format cannot represent an attribute of these edges
     */
    byte[] encode(EdgeBatch batch, int from, int to);
}
