package io.cutwater.trainer.fullgraph;

import io.cutwater.state.graph.Hashing;

/**
 * Dropout whose draws are a function of seed, epoch, layer, vertex and column, so that they do not depend on the shard
 * that computes them (counter-based, as in Salmon et al. 2011).
 */
final class CounterDropout {
    private static final int LANE_BITS = 16;
    private static final int LANE_SHIFT = 2; // 4 draws of 16 bits per hash
    private static final int LANE_MASK = 3;
    private static final int LEVELS = 1 << LANE_BITS;
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private final long key;
    private final int dropped; // number of levels that are dropped
    private final float scale;

    /**
     * Creates the draws of a layer's inputs in an epoch.
     *
     * @param rate probability of zero, from 0 (inclusive) to 1 (exclusive), with a resolution of 1/65536
     * @param input number of the layer's input; a layer may have two
     */
    CounterDropout(double rate, long seed, int epoch, int layer, int input) {
        dropped = (int) Math.round(rate * LEVELS);
        scale = (float) LEVELS / (LEVELS - dropped);
        key = Hashing.mix64(Hashing.mix64(seed, epoch), layer, input);
    }

    /** Returns the part of the counter that belongs to a vertex. */
    long row(long vertex) {
        return Hashing.mix64(key, vertex);
    }

    /** Returns the factor of the values that are kept. */
    float kept() {
        return scale;
    }

    /** Returns 0, or the factor of the values that are kept. */
    float factor(long row, int column) {
        if (dropped == 0) {
            return 1;
        }
        long bits = Hashing.mix64(row + (column >>> LANE_SHIFT) * STEP);
        return (bits >>> LANE_BITS * (column & LANE_MASK) & LEVELS - 1) < dropped ? 0 : scale;
    }
}
