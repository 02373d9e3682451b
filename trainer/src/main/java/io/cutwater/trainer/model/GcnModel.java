package io.cutwater.trainer.model;

import ai.djl.ndarray.NDArray;
import java.util.List;

/** Graph convolutional network (Kipf and Welling 2017, equation 2). */
public final class GcnModel implements GnnModel {
    @Override
    public String name() {
        return "gcn";
    }

    @Override
    public GnnLayer layer(int inputs, int outputs, boolean isLast, ModelOptions options) {
        return new Layer(List.of(Weight.matrix("weight", inputs, outputs), Weight.bias("bias", outputs)));
    }

    private record Layer(List<Weight> weights) implements GnnLayer {
        @Override
        public NDArray forward(List<NDArray> values, HopTensors hop, NDArray inputs, Dropout dropout) {
            return hop.normalisedSum(inputs.matMul(values.get(0))).add(values.get(1));
        }
    }
}
