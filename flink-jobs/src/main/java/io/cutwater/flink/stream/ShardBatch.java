package io.cutwater.flink.stream;

import io.cutwater.state.graph.EdgeBatch;

/**
 * Edges that were placed on one partition, in the order of their placing.
 *
 * @param shard the partition, 0 to k − 1
 */
public record ShardBatch(int shard, EdgeBatch edges) {}
