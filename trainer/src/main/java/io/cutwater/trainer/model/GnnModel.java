package io.cutwater.trainer.model;

import ai.djl.ndarray.NDArray;
import ai.djl.nn.Activation;
import io.cutwater.state.PublicApi;

/**
 * A kind of network that {@code --model} can name. To add one, write a class with a public no-argument constructor, and
 * list its name in {@code META-INF/services/io.cutwater.trainer.model.GnnModel} of a jar on the class path.
 */
@PublicApi
public interface GnnModel {
    /** Returns the name for {@code --model}: lower-case letters, digits and hyphens. */
    String name();

    /**
     * Creates the layer between two widths.
     *
     * @param inputs values per source
     * @param outputs values per target
     * @param isLast whether the outputs are class scores
     * @throws IllegalArgumentException if the options do not fit; the message is meant for users
     */
    GnnLayer layer(int inputs, int outputs, boolean isLast, ModelOptions options);

    /** Applies the activation function, after every layer but the last. */
    default NDArray activate(NDArray results) {
        return Activation.relu(results);
    }
}
