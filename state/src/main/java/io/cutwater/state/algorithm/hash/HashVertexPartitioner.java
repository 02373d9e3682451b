package io.cutwater.state.algorithm.hash;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.rule.VertexPlacement;

/** Places a vertex by the hash of its id: no state, balanced, and nearly every edge cut. */
public final class HashVertexPartitioner implements VertexPartitioner {
    private final long seed;

    public HashVertexPartitioner(PartitionerOptions options) {
        seed = options.seed();
    }

    @Override
    public int place(int vertex, int[] neighbours, int from, int to, VertexPlacement placement) {
        return Hashing.reduce(Hashing.mix64(seed, placement.id(vertex)), placement.partitionCount());
    }
}
