package io.cutwater.trainer.launch;

import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.shard.FeatureScaling;

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
