package io.cutwater.trainer.fullgraph;

import java.io.IOException;

/** The forward and backward passes of a model on a shard's rows, together with the other shards. Used by one thread. */
interface Passes {
    /** Computes the scores of the own vertices. */
    float[] forward(boolean isTraining, int epoch, float[][] weights) throws IOException, InterruptedException;

    /**
     * Computes this shard's part of the gradients of all weights, behind a forward pass in training with the same
     * weights.
     *
     * @param ofScores gradients of the scores of the own vertices
     */
    float[][] backward(int epoch, float[] ofScores, float[][] weights) throws IOException, InterruptedException;

    /** Returns the number of endpoints of edges that a layer reads. */
    long edges();
}
