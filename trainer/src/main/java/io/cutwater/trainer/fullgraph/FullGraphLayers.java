package io.cutwater.trainer.fullgraph;

import io.cutwater.trainer.fullgraph.NeighbourSums.Norm;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;

/**
 * The layers of a network as products and sums: Z = S(X W) + b, and + X W' if a vertex has weights of its own.
 *
 * @param norm norm of the sum S
 * @param hasSelf whether a layer has a third array of weights W'
 * @param widths values per vertex: features, after each layer
 * @param dropout probability of dropping an input of a layer
 */
record FullGraphLayers(Norm norm, boolean hasSelf, int[] widths, double dropout) {
    static FullGraphLayers of(ModelOptions model, GnnNetwork network, int features) {
        FullGraphOptions.requireSupported(model);
        int[] widths = new int[network.layerCount() + 1];
        widths[0] = features;
        for (int layer = 0; layer < network.layerCount(); layer++) {
            widths[layer + 1] = network.width(layer);
        }
        boolean isMean = model.model().equals("graphsage") && model.aggregator() == Aggregator.MEAN;
        Norm norm = model.model().equals("gcn") ? Norm.SYMMETRIC : isMean ? Norm.MEAN : Norm.MEAN_WITH_SELF;
        return new FullGraphLayers(norm, isMean, widths, model.dropout());
    }

    int count() {
        return widths.length - 1;
    }

    int classes() {
        return widths[count()];
    }

    /** Returns the position of a layer's first array of weights: W, then b, and then W' if there is one. */
    int weight(int layer) {
        return layer * (hasSelf ? 3 : 2);
    }
}
