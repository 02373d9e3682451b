package io.cutwater.state.algorithm.hash;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;

/** Places an edge by the hash of its two ends: no state, balanced, and the worst replication factor of all. */
public final class HashPartitioner implements EdgePartitioner {
    private final long seed;

    public HashPartitioner(PartitionerOptions options) {
        seed = options.seed();
    }

    @Override
    public int place(VertexColumns vertices, int source, int target, PartitionLoads loads) {
        return Hashing.reduce(
                Hashing.mix64(seed, vertices.vertex(source), vertices.vertex(target)), loads.partitionCount());
    }
}
