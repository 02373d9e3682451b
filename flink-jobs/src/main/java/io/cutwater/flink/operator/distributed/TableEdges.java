package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.KeyedAdjacency;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.feedback.bucket.BucketEdges;

/** The kept edges of a vertex table in its keyed state. */
final class TableEdges {
    private final KeyedAdjacency adjacency;
    private final BucketEdges edges;

    TableEdges(AssignOptions options, SpreadOptions spread, KeyedAdjacency adjacency) {
        this.adjacency = adjacency;
        edges = new BucketEdges(adjacency, !options.kind().hasOwners(), StoredEdges.COUNTS, spread.buckets());
    }

    BucketEdges edges() {
        return edges;
    }

    KeyedAdjacency adjacency() {
        return adjacency;
    }

    /** Writes pending rows to the state. */
    void flush() {
        adjacency.flush();
    }
}
