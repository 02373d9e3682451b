package io.cutwater.flink.types;

import io.cutwater.state.graph.RejectedRecord;
import org.jspecify.annotations.Nullable;

/**
 * What a record of topic {@code vertices} says.
 *
 * @param vertex 0 if it was rejected
 * @param data as {@link io.cutwater.format.vertex.VertexRecordCodec#value} encodes them, so that equal data are equal
 *     bytes; null if the vertex is gone
 * @param rejected null unless the record is malformed
 */
@SuppressWarnings("ArrayRecordComponent") // one element of a stream, compared by nobody
public record VertexEvent(
        long vertex, byte @Nullable [] data, @Nullable RejectedRecord rejected) {}
