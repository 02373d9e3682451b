package io.cutwater.state.graph.synthetic;

import io.cutwater.state.graph.EdgeBatch;
import java.util.SplittableRandom;

/** Each bit of both ids falls into one of the four quadrants of the adjacency matrix, highest bit first. */
final class RmatEdges implements EdgeGenerator {
    private static final double A = 0.57;
    private static final double A_B = A + 0.19;
    private static final double A_B_C = A_B + 0.19;

    private final int scale;
    private final SplittableRandom random;

    RmatEdges(int scale, long seed) {
        this.scale = scale;
        random = new SplittableRandom(seed);
    }

    @Override
    public void appendNext(EdgeBatch batch) {
        long source = 0;
        long target = 0;
        for (int bit = 0; bit < scale; bit++) {
            double where = random.nextDouble();
            source = source << 1 | (where >= A_B ? 1 : 0);
            target = target << 1 | (where >= A && where < A_B || where >= A_B_C ? 1 : 0);
        }
        batch.add(source, target);
    }
}
