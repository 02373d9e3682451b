package io.cutwater.state.repartition.live;

import io.cutwater.state.graph.EdgeBatch;
import java.util.function.BooleanSupplier;

/** A pass over edges that are at hand. */
final class LocalScan implements EdgeScan {
    private final LocalPlacement placement;
    private int nextBucket;
    private long[] vertices = {};
    private int nextVertex;

    LocalScan(LocalPlacement placement) {
        this.placement = placement;
    }

    /** Returns at most a batch of edges and the rest of a vertex. */
    @Override
    public EdgeBatch next(BooleanSupplier mayGoOn) {
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

    @Override
    public boolean isOver() {
        return nextVertex == vertices.length && nextBucket == placement.buckets();
    }
}
