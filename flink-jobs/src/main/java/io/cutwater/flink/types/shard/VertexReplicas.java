package io.cutwater.flink.types.shard;

import io.cutwater.flink.types.StreamType;

/**
 * The partitions that hold a vertex now.
 *
 * @param partitions in ascending order; empty if the vertex has left the graph
 */
@SuppressWarnings("ArrayRecordComponent") // an element of a stream, never compared
public record VertexReplicas(long vertex, int[] partitions) {
    public static final StreamType<VertexReplicas> TYPE =
            new StreamType<>(VertexReplicas.class, VertexReplicasSerializer.INSTANCE);
}
