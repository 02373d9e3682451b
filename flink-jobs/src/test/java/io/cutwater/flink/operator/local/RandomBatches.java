package io.cutwater.flink.operator.local;

import io.cutwater.state.graph.EdgeBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Batches of random edges: few and many edges per vertex, self-loops, and ids at both ends of their range. */
final class RandomBatches {
    private RandomBatches() {}

    /** @param vertices largest number of different sources, and of different targets */
    static List<EdgeBatch> of(int vertices, long seed, int batches, int edges) {
        SplittableRandom random = new SplittableRandom(seed);
        List<EdgeBatch> all = new ArrayList<>();
        for (int b = 0; b < batches; b++) {
            EdgeBatch batch = new EdgeBatch();
            for (int e = 0; e < edges; e++) {
                long source = (long) (random.nextDouble() * random.nextDouble() * vertices) - 100;
                long target = random.nextInt(20) == 0 ? source : Long.MAX_VALUE - random.nextInt(vertices);
                batch.add(source, target);
            }
            all.add(batch);
        }
        return all;
    }
}
