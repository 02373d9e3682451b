package io.cutwater.trainer.output;

import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;

/**
 * A network with its weights, and what it expects of the features.
 *
 * @param features per vertex
 * @param classes that it tells apart
 */
public record TrainedModel(ModelOptions options, int features, int classes, FeatureScaling scaling, float[][] weights) {
    /** The network of the options. */
    public GnnNetwork network() {
        return new GnnNetwork(options, features, classes);
    }
}
