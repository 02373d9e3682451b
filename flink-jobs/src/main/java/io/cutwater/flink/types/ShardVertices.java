package io.cutwater.flink.types;

/**
 * What a shard learns of its vertices.
 *
 * @param record as {@link io.cutwater.kafka.shard.ShardVertexCodec} encodes it
 */
@SuppressWarnings("ArrayRecordComponent") // on its way to a topic, compared by nobody
public record ShardVertices(int shard, byte[] record) {}
