package io.cutwater.trainer.progress;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.round.AccuracyCounts;

/**
 * The model with the lowest validation loss so far; without validation vertices, the last one. The loss decides and not
 * the accuracy, which is noisy with a few hundred vertices (as in Shchur et al. 2018).
 *
 * @param epoch number of epochs before its test
 */
public record BestModel(int epoch, float[][] weights, AccuracyCounts counts) {
    public boolean isBeatenBy(AccuracyCounts other) {
        return !(other.loss(VertexSplit.VAL) >= counts.loss(VertexSplit.VAL)); // NaN without validation vertices
    }
}
