package io.cutwater.trainer.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.types.Shape;
import io.cutwater.trainer.model.Weight;
import io.cutwater.trainer.torch.Floats;
import io.cutwater.trainer.torch.Tensors;
import io.cutwater.trainer.torch.TestDevice;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdamTest {
    private static final List<Weight> WEIGHTS = List.of(Weight.bias("w", 3));

    /** The gradient of half the sum of squares is the weight itself. */
    @Test
    void stepsAreThoseOfTheFormula() {
        double[] weights = {1, -2, 0.5};
        double[] means = new double[3];
        double[] variances = new double[3];
        try (Tensors tensors = new Tensors(TestDevice.get())) {
            Adam adam = new Adam(tensors, WEIGHTS, 0.1, new float[] {0.01f});
            NDArray value = tensors.floats(new float[] {1, -2, 0.5f}, new Shape(3));
            for (int step = 1; step <= 20; step++) {
                step(adam, value);
                for (int i = 0; i < 3; i++) {
                    double gradient = weights[i] + 0.01 * weights[i];
                    means[i] = 0.9 * means[i] + 0.1 * gradient;
                    variances[i] = 0.999 * variances[i] + 0.001 * gradient * gradient;
                    double rate = 0.1 * Math.sqrt(1 - Math.pow(0.999, step)) / (1 - Math.pow(0.9, step));
                    weights[i] -= rate * means[i] / (Math.sqrt(variances[i]) + 1e-8);
                    assertThat((double) Floats.of(value)[i]).isCloseTo(weights[i], within(1e-5));
                }
            }
        }
    }

    @Test
    void goesOnFromItsStateBitByBit() {
        try (Tensors tensors = new Tensors(TestDevice.get())) {
            Adam first = new Adam(tensors, WEIGHTS, 0.1, new float[1]);
            NDArray value = tensors.floats(new float[] {1, -2, 0.5f}, new Shape(3));
            for (int step = 0; step < 5; step++) {
                step(first, value);
            }
            Adam second = new Adam(tensors, WEIGHTS, 0.1, new float[1]);
            second.restore(first.state());
            NDArray copy = tensors.floats(Floats.of(value), new Shape(3));
            step(first, value);
            step(second, copy);
            assertThat(Floats.of(copy)).isEqualTo(Floats.of(value));
            assertThat(second.state().step()).isEqualTo(6);
        }
    }

    private static void step(Adam adam, NDArray value) {
        try (NDScope scope = new NDScope()) {
            scope.suppressNotUsedWarning();
            adam.step(value, value.duplicate());
        }
    }
}
