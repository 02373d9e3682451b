package io.cutwater.state.feedback.bucket;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import java.util.function.Consumer;

/** How several assigners share kept edges: each has those whose sources are its own. */
public final class EdgesBySource {
    private EdgesBySource() {}

    /**
     * Returns which of several assigners has the edges that lead from a vertex, so that it sees them in their order.
     */
    public static int assigner(long source, int buckets, int assigners) {
        return Hashing.bucket(source, buckets) % assigners;
    }

    /**
     * Splits a batch into the edges of each assigner. The last part has the progress of the batch and its rejected
     * records.
     */
    public static void split(EdgeBatch batch, int buckets, int assigners, Consumer<EdgeBatch> parts) {
        EdgeBatch[] own = new EdgeBatch[assigners];
        EdgeBatch last = null;
        for (int i = 0; i < batch.size(); i++) {
            int assigner = assigner(batch.source(i), buckets, assigners);
            if (own[assigner] == null) {
                own[assigner] = new EdgeBatch(Math.max(1, batch.size() / assigners)).setPass(batch.pass());
                last = own[assigner];
            }
            own[assigner].addFrom(batch, i);
        }
        if (last == null) {
            parts.accept(batch);
            return;
        }
        last.setProgress(batch.progress());
        batch.rejected().forEach(last::reject);
        for (EdgeBatch part : own) {
            if (part != null && part != last) {
                parts.accept(part);
            }
        }
        parts.accept(last);
    }
}
