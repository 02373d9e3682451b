package io.cutwater.trainer.averaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.trainer.training.AdamState;
import io.cutwater.trainer.training.EpochReport;
import io.cutwater.trainer.training.LocalUpdate;
import org.junit.jupiter.api.Test;

class ModelAverageTest {
    @Test
    void aModelIsAsHeavyAsItHasTrainingVertices() {
        ModelAverage average = new ModelAverage();
        assertThat(average.isEmpty()).isTrue();
        average.add(update(30, 1, 2));
        average.add(update(10, 5, -2));
        average.add(update(0, 1000, 1000));
        assertThat(average.mean()).isDeepEqualTo(new float[][] {{2}, {1}});
    }

    @Test
    void ofOneModelItIsThatModel() {
        ModelAverage average = new ModelAverage();
        average.add(update(7, 0.1f, 1e-30f));
        assertThat(average.mean()).isDeepEqualTo(new float[][] {{0.1f}, {1e-30f}});
    }

    private static LocalUpdate update(long examples, float first, float second) {
        float[][] weights = {{first}, {second}};
        return new LocalUpdate(weights, examples, new AdamState(0, weights, weights), EpochReport.nothing());
    }
}
