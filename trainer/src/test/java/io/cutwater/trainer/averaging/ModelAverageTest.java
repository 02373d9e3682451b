package io.cutwater.trainer.averaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.trainer.training.AdamState;
import io.cutwater.trainer.training.EpochReport;
import io.cutwater.trainer.training.LocalUpdate;
import io.cutwater.trainer.training.ModelState;
import io.cutwater.trainer.training.ShardSize;
import org.junit.jupiter.api.Test;

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
        assertThat(optimiser.variances()).isDeepEqualTo(new float[][] {{2}, {1}});
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
