package io.cutwater.trainer.model;

import ai.djl.ndarray.NDArray;
import ai.djl.nn.Activation;

/**
 * A kind of network that {@code --model} can name. A class with a public constructor without parameters that implements
 * this, and its name in {@code META-INF/services/io.cutwater.trainer.model.GnnModel} of a jar on the class path, are
 * all that a new one takes.
 */
public interface GnnModel {
    /** What users call it: lower-case letters, digits and hyphens. */
    String name();

    /**
     * The layer between two widths.
     *
     * @param inputs numbers per source
     * @param outputs numbers per target
     * @param isLast whether its results are the scores of the classes
     * @throws IllegalArgumentException with a sentence, if the options do not fit
     */
    GnnLayer layer(int inputs, int outputs, boolean isLast, ModelOptions options);

    /** What is done to the results of every layer but the last. */
    default NDArray activate(NDArray results) {
        return Activation.relu(results);
    }
}
