package io.cutwater.flink.operator;

import io.cutwater.flink.checkpoint.KeyedAdjacency;
import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.table.KeptEdges;

/**
 * The edges that a job keeps, in its keyed state, with a filter in memory that knows of new edges that they are new.
 */
final class JobEdges {
    /** Of the memory for vertices: 10 bits for each of 50 million edges beside a cache of 256 MB. */
    private static final int CACHE_SHARE = 4;

    private static final long MIN_FILTER = 64;
    private static final long MAX_FILTER = 1 << 30;

    private final KeyedAdjacency adjacency;
    private final KeptEdges kept;

    JobEdges(AssignOptions options, KeyedAdjacency adjacency) {
        this.adjacency = adjacency;
        long filterBytes = Math.min(MAX_FILTER, Math.max(MIN_FILTER, options.cacheBytes() / CACHE_SHARE));
        kept = options.kind() == PartitioningKind.VERTEX
                ? KeptEdges.ofVertices(adjacency, filterBytes)
                : KeptEdges.ofEdges(adjacency, filterBytes);
    }

    KeptEdges kept() {
        return kept;
    }

    /** Tells the filter of the edges that a checkpoint brought; their sources are among the vertices. */
    void restore(KeyedVertexStore vertices, int buckets) throws Exception {
        vertices.forEach(
                0,
                buckets,
                (vertex, bytes) -> adjacency.forEach(vertex, (source, target, isOutgoing, row) -> {
                    if (isOutgoing) {
                        kept.restored(source, target);
                    }
                }));
    }

    /** Writes what the state does not have yet. */
    void flush() {
        adjacency.flush();
    }
}
