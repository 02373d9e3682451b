package io.cutwater.trainer.fullgraph;

import io.cutwater.trainer.round.AdamState;

/** Adam with weight decay added to the gradient (Kingma and Ba 2015, algorithm 1), in Java: the same at all workers. */
final class PlainAdam {
    private static final double EPSILON = 1e-8;

    private final double learningRate;
    private final float[] weightDecays;
    private final float[][] means;
    private final float[][] variances;
    private int step;

    /** @param weightDecays one value per weight */
    PlainAdam(double learningRate, float[] weightDecays, AdamState state) {
        this.learningRate = learningRate;
        this.weightDecays = weightDecays;
        means = copy(state.means());
        variances = copy(state.variances());
        step = state.step();
    }

    static float[][] copy(float[][] arrays) {
        float[][] copies = new float[arrays.length][];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = arrays[i].clone();
        }
        return copies;
    }

    /** Updates weights from their gradients, in place. */
    void step(float[][] weights, float[][] gradients) {
        step++;
        double beta1 = AdamState.MEAN_DECAY;
        double beta2 = AdamState.VARIANCE_DECAY;
        double corrected = learningRate * Math.sqrt(1 - Math.pow(beta2, step)) / (1 - Math.pow(beta1, step));
        for (int i = 0; i < weights.length; i++) {
            float[] mean = means[i];
            float[] variance = variances[i];
            float[] weight = weights[i];
            for (int j = 0; j < weight.length; j++) {
                double gradient = gradients[i][j] + (double) weightDecays[i] * weight[j];
                mean[j] = (float) (beta1 * mean[j] + (1 - beta1) * gradient);
                variance[j] = (float) (beta2 * variance[j] + (1 - beta2) * gradient * gradient);
                weight[j] -= (float) (corrected * mean[j] / (Math.sqrt(variance[j]) + EPSILON));
            }
        }
    }

    AdamState state() {
        return new AdamState(step, copy(means), copy(variances));
    }
}
