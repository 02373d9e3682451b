package io.cutwater.trainer.sampler;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The seed vertices of one optimiser step with their sampled neighbourhood.
 *
 * @param randomSeed seed of all random draws of this step
 * @param hops one per layer, the first layer's first; the targets of the last are the seeds, and those of each other
 *     one are the sources of the next
 * @param labels labels of the seeds
 */
public record MiniBatch(long randomSeed, List<Hop> hops, InputRows inputs, int[] labels) {
    public MiniBatch {
        hops = List.copyOf(hops);
    }

    /**
     * Returns this mini-batch with another random seed, as {@link BatchMaker#make} creates it if no neighbours are
     * sampled.
     */
    MiniBatch withDraw(long seed) {
        return new MiniBatch(new SplittableRandom(seed).nextLong(), hops, inputs, labels);
    }

    /** Returns the number of edges of all hops, the unit of training speed. */
    public long edgeCount() {
        long edges = 0;
        for (Hop hop : hops) {
            edges += hop.edgeCount();
        }
        return edges;
    }
}
