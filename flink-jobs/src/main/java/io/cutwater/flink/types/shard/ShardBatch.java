package io.cutwater.flink.types.shard;

import io.cutwater.flink.types.StreamType;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.placement.ShardChange;

/**
 * Edges that enter or leave one shard, in order.
 *
 * @param shard the partition, 0 to k − 1
 * @param change what happens to all of them
 * @param generation of the plan, from 0; each re-partitioning begins the next
 * @param edges in a vertex partitioning only, each with the owners of its ends as its place; a cut edge is in the
 *     shards of both
 */
public record ShardBatch(int shard, ShardChange change, long generation, EdgeBatch edges) {
    public static final StreamType<ShardBatch> TYPE = new StreamType<>(ShardBatch.class, ShardBatchSerializer.INSTANCE);

    /** Creates a batch of edges that enter the graph, before any re-partitioning. */
    public ShardBatch(int shard, EdgeBatch edges) {
        this(shard, ShardChange.ADD, 0, edges);
    }
}
