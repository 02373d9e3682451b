package io.cutwater.flink.stream;

/** What goes into topic {@code shards}; one stream where vertices do, because one writer owns a transaction. */
public sealed interface ShardRecord permits ShardBatch, ShardVertices {
    /** The partition, 0 to k − 1. */
    int shard();
}
