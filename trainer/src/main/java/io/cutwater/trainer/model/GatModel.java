package io.cutwater.trainer.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import java.util.List;

/**
 * Graph attention network (Veličković et al. 2018, equations 1 to 6): concatenated heads, and one head in the last
 * layer.
 */
public final class GatModel implements GnnModel {
    private static final float SLOPE = 0.2f;

    @Override
    public String name() {
        return "gat";
    }

    @Override
    public NDArray activate(NDArray results) {
        return Activation.elu(results, 1);
    }

    @Override
    public GnnLayer layer(int inputs, int outputs, boolean isLast, ModelOptions options) {
        int heads = isLast ? 1 : options.heads();
        if (outputs % heads != 0) {
            throw new IllegalArgumentException(
                    "--hidden %d cannot be shared by --heads %d; take a multiple".formatted(outputs, heads));
        }
        int width = outputs / heads;
        return new Layer(
                heads,
                width,
                List.of(
                        Weight.matrix("weight", inputs, outputs),
                        Weight.bias("bias", outputs),
                        new Weight("sourceAttention", new long[] {heads, width}, width, 1),
                        new Weight("targetAttention", new long[] {heads, width}, width, 1)));
    }

    private record Layer(int heads, int width, List<Weight> weights) implements GnnLayer {
        @Override
        public NDArray forward(List<NDArray> values, HopTensors hop, NDArray inputs, Dropout dropout) {
            NDArray projected = inputs.matMul(values.get(0));
            NDArray bySource = attention(projected, values.get(2));
            NDArray byTarget = attention(hop.ofTargets(projected), values.get(3));
            NDArray sourceOfEdges = hop.sourceOfEdges();
            NDArray scores =
                    leaky(sourceOfEdges.matMul(bySource).add(hop.targetOfEdges().matMul(byTarget)));
            // The largest score of a target is that of its largest source; without it exp would overflow.
            NDArray largest = leaky(hop.maxWithSelf(bySource).add(byTarget.stopGradient()));
            NDArray shares = scores.sub(hop.targetOfEdges().matMul(largest)).exp();
            NDArray sumOfEdges = hop.sumOfEdges();
            NDArray total = sumOfEdges.matMul(shares);
            NDArray messages = sourceOfEdges
                    .matMul(projected)
                    .reshape(new Shape(hop.edgeCountWithSelf(), heads, width))
                    .mul(dropout.apply(shares).expandDims(2))
                    .reshape(new Shape(hop.edgeCountWithSelf(), (long) heads * width));
            return sumOfEdges
                    .matMul(messages)
                    .reshape(new Shape(hop.targetCount(), heads, width))
                    .div(total.expandDims(2))
                    .reshape(new Shape(hop.targetCount(), (long) heads * width))
                    .add(values.get(1));
        }

        private NDArray attention(NDArray rows, NDArray weights) {
            return rows.reshape(new Shape(rows.getShape().get(0), heads, width))
                    .mul(weights)
                    .sum(new int[] {2});
        }

        private static NDArray leaky(NDArray array) {
            return Activation.leakyRelu(array, SLOPE);
        }
    }
}
