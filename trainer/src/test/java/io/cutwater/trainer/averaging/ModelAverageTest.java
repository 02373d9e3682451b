package io.cutwater.trainer.averaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cutwater.trainer.round.AdamState;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.ShardSize;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelAverageTest {
    @Test
    void aModelIsAsHeavyAsItHasTrainingVertices() {
        ModelAverage average = new ModelAverage();
        assertThat(average.isEmpty()).isTrue();
        average.add(update(30, 1, 2));
        average.add(update(10, 5, -2));
        average.add(update(0, 1000, 1000));
        assertThat(average.mean().weights()).isDeepEqualTo(new float[][] {{2}, {1}});
        AdamState optimiser = average.mean().optimiser();
        assertThat(optimiser.step()).isEqualTo(30);
        assertThat(optimiser.means()).isDeepEqualTo(new float[][] {{20}, {10}});
    }

    @Test
    void afterOneStepTheOptimiserRemembersWhatOneModelWould() {
        double[][] before = {{0.2, 0.3}};
        double[][] gradients = {{1}, {-4}};
        AdamState state = averaged(before, gradients, 3, 1).optimiser();
        double mean = (3 * 1 - 4) / 4.0;
        assertThat((double) state.means()[0][0]).isCloseTo(0.9 * 0.2 + 0.1 * mean, within(1e-6));
        assertThat((double) state.variances()[0][0]).isCloseTo(0.999 * 0.3 + 0.001 * mean * mean, within(1e-6));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void afterSeveralStepsItsSquaresAreBetweenThoseOfOneModelAndTheShards(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int steps = random.nextInt(2, 30);
        double[][] gradients = new double[2][steps];
        double[] means = new double[steps];
        for (int step = 0; step < steps; step++) {
            gradients[0][step] = random.nextDouble(-1, 2);
            gradients[1][step] = random.nextDouble(-2, 1);
            means[step] = (gradients[0][step] + 2 * gradients[1][step]) / 3;
        }
        double[] before = {random.nextDouble(-0.1, 0.1), random.nextDouble(0.001, 0.01)};
        double found =
                averaged(new double[][] {before}, gradients, 1, 2).optimiser().variances()[0][0];
        double ofShards = (adam(before, gradients[0])[1] + 2 * adam(before, gradients[1])[1]) / 3;
        assertThat(found)
                .isBetween(adam(before, means)[1] - 1e-7, ofShards + 1e-7)
                .isLessThan(ofShards);
    }

    /** Two shards with one weight each, their Adam state as {mean, variance}, and their gradients. */
    private static ModelState averaged(double[][] before, double[][] gradients, long... examples) {
        ModelAverage average = new ModelAverage();
        for (int shard = 0; shard < gradients.length; shard++) {
            double[] after = adam(before[0], gradients[shard]);
            int steps = gradients[shard].length;
            AdamState optimiser =
                    new AdamState(steps, new float[][] {{(float) after[0]}}, new float[][] {{(float) after[1]}});
            EpochReport report = new EpochReport(steps, examples[shard], 0, 0, 0, 0, 0, 0);
            average.add(new LocalUpdate(
                    new ModelState(new float[][] {{0}}, optimiser), examples[shard], 1, report, ShardSize.NOTHING));
        }
        return average.mean();
    }

    private static double[] adam(double[] before, double... gradients) {
        double[] after = before.clone();
        for (double gradient : gradients) {
            after[0] = 0.9 * after[0] + 0.1 * gradient;
            after[1] = 0.999 * after[1] + 0.001 * gradient * gradient;
        }
        return after;
    }

    @Test
    void ofOneModelItIsThatModel() {
        ModelAverage average = new ModelAverage();
        average.add(update(7, 0.1f, 1e-30f));
        assertThat(average.mean().weights()).isDeepEqualTo(new float[][] {{0.1f}, {1e-30f}});
    }

    private static LocalUpdate update(long examples, float first, float second) {
        float[][] weights = {{first}, {second}};
        float[][] tenfold = {{10 * first}, {10 * second}};
        AdamState optimiser = new AdamState((int) examples, tenfold, weights);
        return new LocalUpdate(
                new ModelState(weights, optimiser), examples, 1, EpochReport.nothing(), ShardSize.NOTHING);
    }
}
