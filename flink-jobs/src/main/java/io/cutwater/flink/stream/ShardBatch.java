package io.cutwater.flink.stream;

import io.cutwater.state.graph.EdgeBatch;

/**
 * Edges that were placed on one partition, in the order of their placing.
 *
 * @param shard the partition, 0 to k − 1
 * @param edges in a vertex partitioning, and there only, each with the owners of its ends as its place; a cut edge is
 *     in the shards of both
 */
public record ShardBatch(int shard, EdgeBatch edges) {}
