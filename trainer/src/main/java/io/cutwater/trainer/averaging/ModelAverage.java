package io.cutwater.trainer.averaging;

import io.cutwater.trainer.training.AdamState;
import io.cutwater.trainer.training.LocalUpdate;
import io.cutwater.trainer.training.ModelState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The mean of models, each as heavy as it has training vertices (McMahan et al. 2017, algorithm 1, last line), and of
 * what their optimisers remember. Shards of a good partitioning have classes of their own; an Adam that stays with its
 * shard divides each gradient by that shard's own scale, and where these meet is not where the gradients' sum is zero:
 * four shards of planetoid-cora got stuck at 62 to 65 % that way.
 */
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
    ModelState mean() {
        int step = 0;
        for (LocalUpdate update : updates) {
            step = Math.max(step, update.state().optimiser().step());
        }
        return new ModelState(
                mean(ModelState::weights),
                new AdamState(
                        step,
                        mean(state -> state.optimiser().means()),
                        mean(state -> state.optimiser().variances())));
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
}
