package io.cutwater.kafka.event.mapped;

import io.cutwater.state.graph.EdgeBatch;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Decodes a record, whatever its origin. Not thread-safe: use one decoder per thread. */
@FunctionalInterface
public interface RecordDecoder {
    /**
     * Appends the edges and returns null, or appends nothing and returns the reason as a sentence.
     *
     * @throws TruncatedTableException if the record tells that a table was truncated
     */
    @Nullable String decode(byte @Nullable [] key, byte @Nullable [] value, Headers headers, EdgeBatch into);
}
