package io.cutwater.deploy.input;

import io.cutwater.kafka.ingest.EdgeSupplier;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Edges in a random order that a seed determines; all of them are held in memory, 20 bytes each. */
final class ShuffledEdges implements EdgeSupplier {
    private final EdgeBatch edges = new EdgeBatch();
    private final List<RejectedRecord> rejected;
    private final int[] order;
    private int next;

    /** Reads all edges of the source. */
    ShuffledEdges(EdgeSupplier source, long seed) throws IOException {
        EdgeBatch batch = new EdgeBatch();
        while (source.next(batch)) {
            edges.addAll(batch);
            batch.clear();
        }
        rejected = new ArrayList<>(edges.rejected());
        order = shuffled(edges.size(), new SplittableRandom(seed));
    }

    /** Fisher and Yates, in Durstenfeld's order (CACM algorithm 235). */
    private static int[] shuffled(int size, SplittableRandom random) {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }

    /** Returns the share of the edges that were returned so far, 0 to 1. */
    double share() {
        return order.length == 0 ? 1 : (double) next / order.length;
    }

    @Override
    public boolean next(EdgeBatch into) {
        rejected.forEach(into::reject);
        boolean hasMore = next < order.length || !rejected.isEmpty();
        rejected.clear();
        for (int i = 0; i < EdgeBatch.DEFAULT_CAPACITY && next < order.length; i++) {
            into.addFrom(edges, order[next++]);
        }
        return hasMore;
    }
}
