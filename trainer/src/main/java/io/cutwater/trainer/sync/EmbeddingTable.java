package io.cutwater.trainer.sync;

import io.cutwater.trainer.round.AdamState;
import io.cutwater.trainer.round.EmbeddingRows;
import java.nio.FloatBuffer;

/**
 * The learned rows of the vertices at home in a shard, by position, with a sparse Adam: a row is updated only when it
 * has a gradient, and counts its own steps (as DistDGL's SparseAdam does). A row that was never updated is a function
 * of seed and vertex, so a vertex that arrives later gets the same row in any shard. 12 bytes per value.
 */
final class EmbeddingTable {
    private static final double EPSILON = 1e-8;

    private final int width;
    private final double learningRate;
    private final int[] steps;
    private final float[] values;
    private final float[] means;
    private final float[] variances;

    /**
     * Creates rows.
     *
     * @param vertices vertices by position
     * @param before rows of an earlier table
     */
    EmbeddingTable(long[] vertices, EmbeddingRows before, double learningRate) {
        width = before.width();
        this.learningRate = learningRate;
        steps = new int[vertices.length];
        values = new float[Math.multiplyExact(vertices.length, width)];
        means = new float[values.length];
        variances = new float[values.length];
        for (int row = 0; row < vertices.length; row++) {
            before.copyRow(vertices[row], values, row * width);
            int position = before.find(vertices[row]);
            if (position >= 0) {
                steps[row] = before.steps()[position];
                System.arraycopy(before.means(), position * width, means, row * width, width);
                System.arraycopy(before.variances(), position * width, variances, row * width, width);
            }
        }
    }

    /** Copies a row, with the state of its optimiser, to a position of others. */
    void copy(int row, EmbeddingRows into, int position) {
        into.steps()[position] = steps[row];
        System.arraycopy(values, row * width, into.values(), position * width, width);
        System.arraycopy(means, row * width, into.means(), position * width, width);
        System.arraycopy(variances, row * width, into.variances(), position * width, width);
    }

    void read(int row, FloatBuffer into) {
        into.put(values, row * width, width);
    }

    /**
     * Updates a row (Kingma and Ba 2015, algorithm 1).
     *
     * @param gradient sums of gradients, beginning at {@code at}
     * @param weight total weight of the gradients, by which the sums are divided
     */
    void update(int row, double[] gradient, int at, double weight) {
        int step = ++steps[row];
        double meanCorrection = 1 - Math.pow(AdamState.MEAN_DECAY, step);
        double varianceCorrection = 1 - Math.pow(AdamState.VARIANCE_DECAY, step);
        for (int i = 0; i < width; i++) {
            int to = row * width + i;
            double value = gradient[at + i] / weight;
            means[to] = (float) (AdamState.MEAN_DECAY * means[to] + (1 - AdamState.MEAN_DECAY) * value);
            variances[to] =
                    (float) (AdamState.VARIANCE_DECAY * variances[to] + (1 - AdamState.VARIANCE_DECAY) * value * value);
            values[to] -= (float) (learningRate
                    * (means[to] / meanCorrection)
                    / (Math.sqrt(variances[to] / varianceCorrection) + EPSILON));
        }
    }
}
