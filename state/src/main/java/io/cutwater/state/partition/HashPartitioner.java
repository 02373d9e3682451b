package io.cutwater.state.partition;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;

/** Places an edge by the hash of its two ends: no state, balanced, and the worst replication factor of all. */
final class HashPartitioner implements EdgePartitioner {
    private final long seed;

    HashPartitioner(PartitionerOptions options) {
        seed = options.seed();
    }

    @Override
    public int place(VertexTable vertices, int source, int target, PartitionLoads loads) {
        return Hashing.reduce(
                Hashing.mix64(seed, vertices.vertex(source), vertices.vertex(target)), loads.partitionCount());
    }
}
