package io.cutwater.trainer.averaging;

import io.cutwater.trainer.training.LocalUpdate;
import java.util.ArrayList;
import java.util.List;

/** The mean of models, each as heavy as it has training vertices (McMahan et al. 2017, algorithm 1, last line). */
final class ModelAverage {
    private final List<LocalUpdate> updates = new ArrayList<>();
    private long examples;

    void add(LocalUpdate update) {
        updates.add(update);
        examples += update.examples();
    }

    boolean isEmpty() {
        return examples == 0;
    }

    /** The mean; must not be empty. Of one model it is that model, bit by bit. */
    float[][] mean() {
        float[][] first = updates.get(0).weights();
        float[][] mean = new float[first.length][];
        for (int i = 0; i < mean.length; i++) {
            mean[i] = mean(i, first[i].length);
        }
        return mean;
    }

    private float[] mean(int weight, int length) {
        double[] sum = new double[length];
        for (LocalUpdate update : updates) {
            float[] values = update.weights()[weight];
            for (int i = 0; i < length; i++) {
                sum[i] += (double) update.examples() * values[i];
            }
        }
        float[] mean = new float[length];
        for (int i = 0; i < length; i++) {
            mean[i] = (float) (sum[i] / examples);
        }
        return mean;
    }
}
