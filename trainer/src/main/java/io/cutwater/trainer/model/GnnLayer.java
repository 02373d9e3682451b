package io.cutwater.trainer.model;

import ai.djl.ndarray.NDArray;
import io.cutwater.state.PublicApi;
import java.util.List;

/** One layer of a network. Layers are stateless, so that threads can share them; weights are passed to each call. */
@PublicApi
public interface GnnLayer {
    /** Returns the weights of the layer, in the order in which {@link #forward} takes them. */
    List<Weight> weights();

    /**
     * Computes one row per target of the hop. Do not multiply or divide by a {@code Number}, as in
     * {@code array.mul(0.5)}: DJL stores the number in Java's memory and releases it at once, but PyTorch reads it
     * again for the gradient, which is wrong if a garbage collection came between. Use {@link HopTensors#number}
     * instead.
     *
     * @param weights as many as {@link #weights()}
     * @param inputs one row per source; may be a sparse matrix in the first layer, and then only the left operand of
     *     {@code matMul}
     * @param dropout dropout for values other than the inputs, to which it is already applied
     */
    NDArray forward(List<NDArray> weights, HopTensors hop, NDArray inputs, Dropout dropout);
}
