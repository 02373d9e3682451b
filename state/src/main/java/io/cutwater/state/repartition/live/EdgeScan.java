package io.cutwater.state.repartition.live;

import io.cutwater.state.graph.EdgeBatch;
import java.util.function.BooleanSupplier;

/**
 * One pass over the kept edges, vertex by vertex. The stream continues between the steps: edges that are added or
 * removed meanwhile may or may not be visited.
 */
final class EdgeScan {
    private final LivePlacement placement;
    private int nextBucket;
    private long[] vertices = {};
    private int nextVertex;

    EdgeScan(LivePlacement placement) {
        this.placement = placement;
    }

    /** The next edges, at most a batch of them and the rest of a vertex; a new batch. */
    EdgeBatch next(BooleanSupplier mayGoOn) {
        EdgeBatch edges = new EdgeBatch();
        while (edges.size() < EdgeBatch.DEFAULT_CAPACITY && !isOver()) {
            if (nextVertex == vertices.length) {
                vertices = placement.vertices(nextBucket++);
                nextVertex = 0;
            } else {
                placement.edgesOf(vertices[nextVertex++], edges);
            }
            if (!mayGoOn.getAsBoolean()) {
                break;
            }
        }
        return edges;
    }

    boolean isOver() {
        return nextVertex == vertices.length && nextBucket == placement.buckets();
    }
}
