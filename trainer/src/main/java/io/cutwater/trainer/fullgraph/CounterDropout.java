package io.cutwater.trainer.fullgraph;

import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.exchange.ShardRows;

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

    /** Returns the number of the group of columns that one call of {@link #draws} decides about. */
    static int group(int column) {
        return column >>> LANE_SHIFT;
    }

    /** Draws for the columns of a column's group. */
    long draws(long row, int column) {
        return Hashing.mix64(row + group(column) * STEP);
    }

    /** Returns whether a column's value is kept, by the draws of its group. */
    boolean keeps(long draws, int column) {
        return (draws >>> LANE_BITS * (column & LANE_MASK) & LEVELS - 1) >= dropped;
    }

    /** Returns 0, or the factor of the values that are kept. */
    float factor(long row, int column) {
        return dropped == 0 || keeps(draws(row, column), column) ? scale : 0;
    }

    /** Drops values of a layer's inputs, by own rows of a shard. */
    void drop(float[] values, int width, ShardRows rows) {
        for (int row = 0; row < rows.ownCount(); row++) {
            long counter = row(rows.vertex(row));
            for (int column = 0; column < width; column++) {
                values[row * width + column] *= factor(counter, column);
            }
        }
    }
}
