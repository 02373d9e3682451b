package io.cutwater.deploy.compare;

import io.cutwater.deploy.view.Progress;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;

/** The edges in memory as a stream of batches, as the job cuts them. */
final class EdgeStream {
    private static final PlacedEdges UNREAD = (source, target, weight, timestamp, key, partition) -> {};

    private final EdgeBatch edges;
    private final Progress.Display display;

    EdgeStream(EdgeBatch edges, Progress.Display display) {
        this.edges = edges;
        this.display = display;
    }

    /** Feeds them to a placement, pass by pass, to the end. */
    void feed(Placement placement, int passes, String task) {
        EdgeBatch batch = new EdgeBatch();
        double work = (double) passes * edges.size();
        try (Progress progress = display.begin(task)) {
            for (int pass = 0; pass < passes; pass++) {
                for (int next = 0; next < edges.size(); ) {
                    batch.clear();
                    for (int i = 0; i < EdgeBatch.DEFAULT_CAPACITY && next < edges.size(); i++) {
                        batch.addFrom(edges, next++);
                    }
                    placement.accept(batch.setPass(pass), UNREAD);
                    long done = (long) pass * edges.size() + next;
                    progress.update(done, done / work, "");
                }
            }
            placement.placeHeld(UNREAD);
        }
    }
}
