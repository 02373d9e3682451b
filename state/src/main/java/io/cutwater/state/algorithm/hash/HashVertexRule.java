package io.cutwater.state.algorithm.hash;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.rule.NeighbourCounts;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.rule.VertexRule;

/** Owns a vertex by the hash of its id, as {@link HashVertexPartitioner} does; no edge is buffered. */
public final class HashVertexRule implements VertexRule {
    private final long seed;

    public HashVertexRule(PartitionerOptions options) {
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
