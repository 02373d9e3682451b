package io.cutwater.kafka.event;

import io.cutwater.state.graph.EdgeBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Seeded edges for tests, and batches as lists that can be compared. */
public final class RandomEdges {
    private RandomEdges() {}

    public static EdgeBatch batch(long seed, int size, boolean weights, boolean timestamps) {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeBatch batch = new EdgeBatch(Math.max(1, size));
        for (int i = 0; i < size; i++) {
            // Shifts give ids of every length, and of both signs.
            batch.add(
                    random.nextLong() >> random.nextInt(64),
                    random.nextLong() >> random.nextInt(64),
                    weights && random.nextInt(4) > 0 ? random.nextInt(-1000, 1000) / 8.0 : Double.NaN,
                    timestamps && random.nextInt(4) > 0 ? random.nextLong() >> 8 : EdgeBatch.NO_TIMESTAMP);
        }
        return batch;
    }

    /** About every third edge takes one away. */
    public static EdgeBatch withRemovals(long seed, EdgeBatch batch) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < batch.size(); i++) {
            if (random.nextInt(3) == 0) {
                batch.setRemoval(i);
            }
        }
        return batch;
    }

    public static List<String> edges(EdgeBatch batch) {
        return edges(batch, 0, batch.size());
    }

    public static List<String> edges(EdgeBatch batch, int from, int to) {
        List<String> edges = new ArrayList<>();
        for (int i = from; i < to; i++) {
            String edge = batch.source(i) + " " + batch.target(i) + " " + batch.weight(i) + " " + batch.timestamp(i);
            edges.add(batch.isRemoval(i) ? "remove " + edge : edge);
        }
        return edges;
    }
}
