package io.cutwater.flink.types.graph;

import io.cutwater.flink.types.StreamType;
import io.cutwater.state.graph.RejectedRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record of topic {@code vertices}, decoded.
 *
 * @param vertex 0 if it was rejected
 * @param data as {@link io.cutwater.format.vertex.VertexRecordCodec#value} encodes them, so that equal data are equal
 *     bytes; null if the vertex is gone
 * @param rejected null unless the record is malformed
 */
@SuppressWarnings("ArrayRecordComponent") // an element of a stream, never compared
public record VertexEvent(
        long vertex, byte @Nullable [] data, @Nullable RejectedRecord rejected) {
    public static final StreamType<VertexEvent> TYPE =
            new StreamType<>(VertexEvent.class, VertexEventSerializer.INSTANCE);
}
