package io.cutwater.trainer.output;

import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;

/**
 * A network with its weights, and the features that it expects.
 *
 * @param features features per vertex
 * @param classes number of classes
 * @param isOfWholeGraph whether shards read neighbours of each other in training, and so do in predictions
 */
public record TrainedModel(
        ModelOptions options,
        int features,
        int classes,
        FeatureScaling scaling,
        boolean isOfWholeGraph,
        float[][] weights) {
    /** Creates the network of the options. */
    public GnnNetwork network() {
        return new GnnNetwork(options, features, classes);
    }
}
