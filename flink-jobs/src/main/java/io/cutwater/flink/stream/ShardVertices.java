package io.cutwater.flink.stream;

/**
 * What a shard learns of its vertices.
 *
 * @param record as {@link io.cutwater.kafka.record.ShardVertexCodec} encodes it
 */
@SuppressWarnings("ArrayRecordComponent") // on its way to a topic, compared by nobody
public record ShardVertices(int shard, byte[] record) {}
