package io.cutwater.flink.operator.local;

import io.cutwater.flink.checkpoint.KeyedAdjacency;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.state.edges.StoredEdges;

/** The edges that a job keeps in its keyed state. */
final class JobEdges {
    private final KeyedAdjacency adjacency;
    private final StoredEdges kept;

    JobEdges(AssignOptions options, KeyedAdjacency adjacency) {
        this.adjacency = adjacency;
        if (options.kind().hasOwners()) {
            kept = StoredEdges.ofVertices(adjacency, StoredEdges.COUNTS);
        } else {
            kept = options.removesVertices()
                    ? StoredEdges.ofEdgesByBothEnds(adjacency, StoredEdges.COUNTS)
                    : StoredEdges.ofEdges(adjacency, StoredEdges.COUNTS);
        }
    }

    KeyedAdjacency adjacency() {
        return adjacency;
    }

    StoredEdges kept() {
        return kept;
    }

    /** Writes pending rows to the state. */
    void flush() {
        adjacency.flush();
    }
}
