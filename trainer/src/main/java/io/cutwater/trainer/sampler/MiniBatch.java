package io.cutwater.trainer.sampler;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The seed vertices of one optimiser step, and all that a network needs to know for them.
 *
 * @param randomSeed of whatever is drawn for this step
 * @param hops one per layer, that of the first layer first; the targets of the last are the seeds, and the targets of
 *     each other one are the sources of the next
 * @param labels of the seeds
 */
public record MiniBatch(long randomSeed, List<Hop> hops, InputRows inputs, int[] labels) {
    public MiniBatch {
        hops = List.copyOf(hops);
    }

    /** What {@link BatchMaker#make} makes with another random seed, where no neighbours are drawn. */
    MiniBatch withDraw(long seed) {
        return new MiniBatch(new SplittableRandom(seed).nextLong(), hops, inputs, labels);
    }

    /** Edges of all hops: the unit in which speed is told. */
    public long edgeCount() {
        long edges = 0;
        for (Hop hop : hops) {
            edges += hop.edgeCount();
        }
        return edges;
    }
}
