package io.cutwater.trainer.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import io.cutwater.trainer.model.Weight;
import io.cutwater.trainer.round.AdamState;
import io.cutwater.trainer.torch.Floats;
import io.cutwater.trainer.torch.Tensors;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adam with weight decay added to the gradient (Kingma and Ba 2015, algorithm 1, in the faster order of section 2), on
 * all weights as one array. DJL's own implementation does not give access to its state, which checkpoints need.
 */
final class Adam {
    private static final double BETA1 = AdamState.MEAN_DECAY;
    private static final double BETA2 = AdamState.VARIANCE_DECAY;
    private static final float EPSILON = 1e-8f;
    private static final float NO_CLIPPING = -1;

    private final Tensors tensors;
    private final List<Weight> weights;
    private final float learningRate;
    private final @Nullable NDArray decays; // null if there are none
    private NDArray means;
    private NDArray variances;
    private int step;

    /** @param weightDecays one value per weight */
    Adam(Tensors tensors, List<Weight> weights, double learningRate, float[] weightDecays) {
        this.tensors = tensors;
        this.weights = weights;
        this.learningRate = (float) learningRate;
        Shape shape = new Shape(weights.stream().mapToInt(Weight::size).sum());
        means = tensors.manager().zeros(shape, DataType.FLOAT32);
        variances = tensors.manager().zeros(shape, DataType.FLOAT32);
        float[][] each = new float[weights.size()][];
        boolean hasDecays = false;
        for (int i = 0; i < each.length; i++) {
            each[i] = new float[weights.get(i).size()];
            Arrays.fill(each[i], weightDecays[i]);
            hasDecays |= weightDecays[i] != 0;
        }
        decays = hasDecays ? tensors.flat(each) : null;
    }

    /**
     * Updates the weights in place.
     *
     * @param values all weights, one after the other
     * @param gradient their gradient, which is overwritten
     */
    void step(NDArray values, NDArray gradient) {
        step++;
        if (decays != null) {
            gradient.addi(values.mul(decays));
        }
        double corrected = learningRate * Math.sqrt(1 - Math.pow(BETA2, step)) / (1 - Math.pow(BETA1, step));
        JniUtils.adamUpdate(
                (PtNDArray) values,
                (PtNDArray) gradient,
                (PtNDArray) means,
                (PtNDArray) variances,
                learningRate,
                (float) corrected,
                0,
                1,
                NO_CLIPPING,
                (float) BETA1,
                (float) BETA2,
                EPSILON,
                false);
    }

    AdamState state() {
        return new AdamState(
                step, Weight.split(weights, Floats.of(means)), Weight.split(weights, Floats.of(variances)));
    }

    void restore(AdamState state) {
        step = state.step();
        means.close();
        variances.close();
        means = tensors.flat(state.means());
        variances = tensors.flat(state.variances());
    }
}
