package io.cutwater.trainer.model;

import ai.djl.ndarray.NDArray;
import java.util.List;

/** One layer of a network. It holds no numbers: they come in with each call, so that threads may share it. */
public interface GnnLayer {
    /** What it learns, in the order in which {@link #forward} takes it. */
    List<Weight> weights();

    /**
     * Computes one row per target of the hop.
     *
     * @param weights as many as {@link #weights()}
     * @param inputs one row per source; may be a sparse matrix in the first layer, and then can only be the left side
     *     of {@code matMul}
     * @param dropout for what a layer drops beside its inputs, which have been through it already
     */
    NDArray forward(List<NDArray> weights, HopTensors hop, NDArray inputs, Dropout dropout);
}
