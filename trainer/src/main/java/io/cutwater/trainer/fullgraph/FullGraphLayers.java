package io.cutwater.trainer.fullgraph;

import io.cutwater.trainer.fullgraph.NeighbourSums.Norm;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;

/**
 * The layers of a network as products and sums: Z = S(X W) + b, and + X W' if a vertex has weights of its own. With
 * attention S has weights of its own, see {@link Attention}.
 *
 * @param norm norm of the sum S; not used with attention
 * @param hasSelf whether a layer has a third array of weights W'
 * @param widths values per vertex: features, after each layer
 * @param dropout probability of dropping an input of a layer
 * @param heads heads of all layers but the last, which has one; 0 for sums without attention
 */
record FullGraphLayers(Norm norm, boolean hasSelf, int[] widths, double dropout, int heads) {
    static FullGraphLayers of(ModelOptions model, GnnNetwork network, int features) {
        int[] widths = new int[network.layerCount() + 1];
        widths[0] = features;
        for (int layer = 0; layer < network.layerCount(); layer++) {
            widths[layer + 1] = network.width(layer);
        }
        boolean isMean = model.model().equals("graphsage") && model.aggregator() == Aggregator.MEAN;
        Norm norm = model.model().equals("gcn") ? Norm.SYMMETRIC : isMean ? Norm.MEAN : Norm.MEAN_WITH_SELF;
        int heads = model.model().equals("gat") ? model.heads() : 0;
        return new FullGraphLayers(norm, isMean, widths, model.dropout(), heads);
    }

    int count() {
        return widths.length - 1;
    }

    int classes() {
        return widths[count()];
    }

    boolean haveAttention() {
        return heads > 0;
    }

    int heads(int layer) {
        return layer == count() - 1 ? 1 : heads;
    }

    /**
     * Returns the position of a layer's first array of weights: W, then b, and then W' if there is one, or the
     * attention to sources and that of targets.
     */
    int weight(int layer) {
        int ofLayer = haveAttention() ? 4 : hasSelf ? 3 : 2;
        return layer * ofLayer;
    }
}
