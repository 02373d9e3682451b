package io.cutwater.state.vertex;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitionerOptions;

/** Places a vertex by the hash of its id: no state, balanced, and nearly every edge cut. */
final class HashVertexPartitioner implements VertexPartitioner {
    private final long seed;

    HashVertexPartitioner(PartitionerOptions options) {
        seed = options.seed();
    }

    @Override
    public int place(int vertex, int[] neighbours, int from, int to, VertexPlacement placement) {
        return Hashing.reduce(Hashing.mix64(seed, placement.id(vertex)), placement.partitionCount());
    }
}
