package io.cutwater.flink.types.shard;

import io.cutwater.flink.types.StreamType;

/**
 * Data of vertices for one shard.
 *
 * @param record as {@link io.cutwater.kafka.shard.ShardVertexCodec} encodes it
 */
@SuppressWarnings("ArrayRecordComponent") // sent to a topic, never compared
public record ShardVertices(int shard, byte[] record) {
    public static final StreamType<ShardVertices> TYPE =
            new StreamType<>(ShardVertices.class, ShardVerticesSerializer.INSTANCE);
}
