package io.cutwater.trainer.averaging;

import io.cutwater.trainer.round.AdamState;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The mean of models and of their optimiser states, weighted by training vertices (McMahan et al. 2017, algorithm 1,
 * last line). The optimisers are averaged because shards of a good partitioning differ in their classes: an Adam that
 * stays with its shard divides each gradient by that shard's own scale, and the models then meet where the sum of the
 * gradients is not zero. Four shards of planetoid-cora got stuck at 62 to 65 % that way.
 *
 * <p>The second moment should be the square of the mean gradient, as one model would have it, and not the mean of the
 * shards' squares, which is larger by the variance of their gradients and makes steps too short. That variance is
 * visible in the running means of the gradients, which were equal at the start of the round; see {@link #excess}.
 */
final class ModelAverage {
    private final List<LocalUpdate> updates = new ArrayList<>();
    private long examples;
    private long steps;

    void add(LocalUpdate update) {
        updates.add(update);
        examples += update.examples();
        steps = Math.max(steps, update.report().steps());
    }

    boolean isEmpty() {
        return examples == 0;
    }

    /**
     * Returns the state that all models have after shared steps; there must be a model.
     *
     * @throws IllegalStateException if they differ; the message is meant for users
     */
    ModelState common(int round) {
        ModelState first = updates.get(0).state();
        for (LocalUpdate update : updates) {
            if (!first.isEqual(update.state())) {
                throw new IllegalStateException(
                        "round %d: the shards took the same steps and have different models; run all workers with the same version, device and options"
                                .formatted(round));
            }
        }
        return first;
    }

    /** Returns the mean, which must not be empty. The mean of one model is that model, bit for bit. */
    ModelState mean() {
        int step = 0;
        for (LocalUpdate update : updates) {
            step = Math.max(step, update.state().optimiser().step());
        }
        float[][] means = mean(state -> state.optimiser().means());
        float[][] variances = mean(state -> state.optimiser().variances());
        if (updates.size() > 1) {
            takeExcess(means, variances);
        }
        return new ModelState(mean(ModelState::weights), new AdamState(step, means, variances));
    }

    private float[][] mean(Function<ModelState, float[][]> part) {
        float[][] first = part.apply(updates.get(0).state());
        float[][] mean = new float[first.length][];
        for (int i = 0; i < mean.length; i++) {
            double[] sum = new double[first[i].length];
            for (LocalUpdate update : updates) {
                float[] values = part.apply(update.state())[i];
                for (int j = 0; j < sum.length; j++) {
                    sum[j] += (double) update.examples() * values[j];
                }
            }
            mean[i] = new float[sum.length];
            for (int j = 0; j < sum.length; j++) {
                mean[i][j] = (float) (sum[j] / examples);
            }
        }
        return mean;
    }

    private void takeExcess(float[][] means, float[][] variances) {
        double excess = excess(Math.max(1, steps));
        double least = (1 - AdamState.VARIANCE_DECAY) / (1 - AdamState.MEAN_DECAY);
        for (int i = 0; i < means.length; i++) {
            double[] squares = new double[means[i].length];
            for (LocalUpdate update : updates) {
                float[] values = update.state().optimiser().means()[i];
                for (int j = 0; j < squares.length; j++) {
                    double difference = values[j] - means[i][j];
                    squares[j] += update.examples() * difference * difference;
                }
            }
            for (int j = 0; j < squares.length; j++) {
                double corrected = variances[i][j] - excess * squares[j] / examples;
                // Lower bound of any Adam state over one sequence of gradients (Cauchy-Schwarz).
                variances[i][j] = (float) Math.max(corrected, least * means[i][j] * means[i][j]);
            }
        }
    }

    /**
     * Returns a lower bound of the excess of the mean of squares, for a variance of 1 of the running means m, after the
     * given number of steps from the same state. With a = β₁ to the power of the steps since, m differs by (1 − β₁) Σ a
     * g, whose variance is at most (1 − β₁)(1 − β₁^steps) Σ a Var(g), and the squares are too large by (1 − β₂) Σ a
     * Var(g) or more. The bound is exact for one step: the state is then that of one model that takes the mean
     * gradient.
     */
    private static double excess(long steps) {
        double beta1 = AdamState.MEAN_DECAY;
        return (1 - AdamState.VARIANCE_DECAY) / ((1 - beta1) * (1 - Math.pow(beta1, steps)));
    }
}
