package io.cutwater.trainer.model;

import ai.djl.ndarray.NDArray;
import io.cutwater.trainer.torch.TrainingScript;
import java.util.List;

/**
 * GraphSAGE (Hamilton, Ying and Leskovec 2017, section 3.3) with the mean aggregator (algorithm 1, line 5: a vertex is
 * concatenated with the mean of its neighbours, here as a sum of two products) or the convolutional one (equation 2).
 * Results are not normalised to length 1.
 */
public final class GraphSageModel implements GnnModel {
    @Override
    public String name() {
        return "graphsage";
    }

    @Override
    public GnnLayer layer(int inputs, int outputs, boolean isLast, ModelOptions options) {
        Weight neighbours = Weight.matrix("neighbours", inputs, outputs);
        Weight bias = Weight.bias("bias", outputs);
        return switch (options.aggregator()) {
            case MEAN -> new MeanLayer(List.of(neighbours, bias, Weight.matrix("self", inputs, outputs)));
            case GCN -> new ConvolutionalLayer(List.of(neighbours, bias));
        };
    }

    static TrainingScript.Kind script(ModelOptions options) {
        return switch (options.aggregator()) {
            case MEAN -> TrainingScript.Kind.GRAPHSAGE_MEAN;
            case GCN -> TrainingScript.Kind.GRAPHSAGE_GCN;
        };
    }

    private record MeanLayer(List<Weight> weights) implements GnnLayer {
        @Override
        public NDArray forward(List<NDArray> values, HopTensors hop, NDArray inputs, Dropout dropout) {
            NDArray neighbours = hop.meanOfNeighbours(inputs.matMul(values.get(0)));
            NDArray self = inputs.isSparse()
                    ? hop.ofTargets(inputs.matMul(values.get(2))) // a sparse matrix cannot be sliced
                    : hop.ofTargets(inputs).matMul(values.get(2));
            return self.add(neighbours).add(values.get(1));
        }
    }

    private record ConvolutionalLayer(List<Weight> weights) implements GnnLayer {
        @Override
        public NDArray forward(List<NDArray> values, HopTensors hop, NDArray inputs, Dropout dropout) {
            return hop.meanWithSelf(inputs.matMul(values.get(0))).add(values.get(1));
        }
    }
}
