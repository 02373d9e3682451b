package io.cutwater.trainer.sampler;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The seed vertices of one optimiser step with their sampled neighbourhood.
 *
 * @param randomSeed seed of all random draws of this step
 * @param hops one per layer, the first layer's first; the targets of the last are the seeds, and those of each other
 *     one are the sources of the next
 * @param labels labels of the seeds
 * @param packed all integers in the layout of a model, in a direct buffer; null if they are not packed
 */
public record MiniBatch(
        long randomSeed,
        List<Hop> hops,
        InputRows inputs,
        int[] labels,
        @Nullable ByteBuffer packed) {
    public MiniBatch {
        hops = List.copyOf(hops);
    }

    /** Creates a mini-batch that is not packed. */
    public MiniBatch(long randomSeed, List<Hop> hops, InputRows inputs, int[] labels) {
        this(randomSeed, hops, inputs, labels, null);
    }

    /** Returns this mini-batch with its packed integers. */
    MiniBatch with(ByteBuffer integers) {
        return new MiniBatch(randomSeed, hops, inputs, labels, integers);
    }

    /**
     * Returns this mini-batch with another random seed, as {@link BatchMaker#make} creates it if no neighbours are
     * sampled.
     */
    MiniBatch withDraw(long seed) {
        return new MiniBatch(new SplittableRandom(seed).nextLong(), hops, inputs, labels, packed);
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
