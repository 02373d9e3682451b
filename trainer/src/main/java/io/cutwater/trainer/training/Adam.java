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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Adam with weight decay added to the gradient (Kingma and Ba 2015, algorithm 1, in the faster order of section 2).
 * DJL's own implementation does not give access to its state, which checkpoints need.
 */
final class Adam {
    private static final double BETA1 = AdamState.MEAN_DECAY;
    private static final double BETA2 = AdamState.VARIANCE_DECAY;
    private static final float EPSILON = 1e-8f;
    private static final float NO_CLIPPING = -1;

    private final Tensors tensors;
    private final List<Weight> weights;
    private final float learningRate;
    private final float[] weightDecays;
    private List<NDArray> means;
    private List<NDArray> variances;
    private int step;

    /** @param weightDecays one value per weight */
    Adam(Tensors tensors, List<Weight> weights, double learningRate, float[] weightDecays) {
        this.tensors = tensors;
        this.weights = weights;
        this.learningRate = (float) learningRate;
        this.weightDecays = weightDecays;
        means = zeros();
        variances = zeros();
    }

    private List<NDArray> zeros() {
        List<NDArray> zeros = new ArrayList<>();
        for (Weight weight : weights) {
            zeros.add(tensors.manager().zeros(weight.shape(), DataType.FLOAT32));
        }
        return zeros;
    }

    /** Updates each array from its gradient, in place. */
    void step(List<NDArray> values) {
        step++;
        for (int i = 0; i < values.size(); i++) {
            try (NDArray gradient = values.get(i).getGradient()) {
                update(i, values.get(i), gradient);
            }
            JniUtils.zeroGrad((PtNDArray) values.get(i));
        }
    }

    /**
     * Updates each array from a gradient that was computed elsewhere, in place.
     *
     * @param gradient the gradients of all arrays, one after the other
     */
    void step(List<NDArray> values, float[] gradient) {
        step++;
        int from = 0;
        for (int i = 0; i < values.size(); i++) {
            Shape shape = weights.get(i).shape();
            int to = from + Math.toIntExact(shape.size());
            try (NDArray of = tensors.floats(Arrays.copyOfRange(gradient, from, to), shape)) {
                update(i, values.get(i), of);
            }
            from = to;
        }
    }

    /** Copies the gradients of all arrays, one after the other, and sets them to zero. */
    void copyGradients(List<NDArray> values, float[] into) {
        int at = 0;
        for (NDArray value : values) {
            try (NDArray gradient = value.getGradient()) {
                float[] copy = Floats.of(gradient);
                System.arraycopy(copy, 0, into, at, copy.length);
                at += copy.length;
            }
            JniUtils.zeroGrad((PtNDArray) value);
        }
    }

    private void update(int i, NDArray value, NDArray gradient) {
        double corrected = learningRate * Math.sqrt(1 - Math.pow(BETA2, step)) / (1 - Math.pow(BETA1, step));
        JniUtils.adamUpdate(
                (PtNDArray) value,
                (PtNDArray) gradient,
                (PtNDArray) means.get(i),
                (PtNDArray) variances.get(i),
                learningRate,
                (float) corrected,
                weightDecays[i],
                1,
                NO_CLIPPING,
                (float) BETA1,
                (float) BETA2,
                EPSILON,
                false);
    }

    AdamState state() {
        return new AdamState(step, copies(means), copies(variances));
    }

    private static float[][] copies(List<NDArray> arrays) {
        float[][] copies = new float[arrays.size()][];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = Floats.of(arrays.get(i));
        }
        return copies;
    }

    void restore(AdamState state) {
        step = state.step();
        means = restored(means, state.means());
        variances = restored(variances, state.variances());
    }

    private List<NDArray> restored(List<NDArray> before, float[][] values) {
        List<NDArray> arrays = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            arrays.add(tensors.floats(values[i], weights.get(i).shape()));
            before.get(i).close();
        }
        return arrays;
    }
}
