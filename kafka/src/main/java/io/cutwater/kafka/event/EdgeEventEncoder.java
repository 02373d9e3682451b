package io.cutwater.kafka.event;

import io.cutwater.state.graph.EdgeBatch;

/** Makes the value of one record of topic {@code edges}; see {@link EdgeEventFormat#encoder()}. */
@FunctionalInterface
public interface EdgeEventEncoder {
    /**
     * Encodes the edges {@code from} to {@code to} (exclusive): exactly one unless the format
     * {@link EdgeEventFormat#holdsManyEdges() holds many}.
     *
     * @throws IllegalArgumentException with one sentence if the format cannot carry what these edges have
     */
    byte[] encode(EdgeBatch batch, int from, int to);
}
