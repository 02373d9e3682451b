package io.cutwater.state.vertex;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitionerOptions;

/** By the hash of the id, as {@link HashVertexPartitioner}: no edge waits. */
final class LiveHash implements VertexRule {
    private final long seed;

    LiveHash(PartitionerOptions options) {
        seed = options.seed();
    }

    @Override
    public int windowSize() {
        return 0;
    }

    @Override
    public int owner(long vertex, int degree, NeighbourCounts counts, OwnerLoads loads) {
        return Hashing.reduce(Hashing.mix64(seed, vertex), loads.partitionCount());
    }
}
