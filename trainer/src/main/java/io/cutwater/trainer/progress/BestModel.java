package io.cutwater.trainer.progress;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.round.AccuracyCounts;

/**
 * The model with the lowest loss on the validation vertices so far; without any such vertices, the last one. The share
 * that is right goes up and down with single vertices where there are a few hundred (Shchur et al. 2018 stop by the
 * loss, too).
 *
 * @param epoch after which it was tested
 */
public record BestModel(int epoch, float[][] weights, AccuracyCounts counts) {
    public boolean isBeatenBy(AccuracyCounts other) {
        return !(other.loss(VertexSplit.VAL) >= counts.loss(VertexSplit.VAL)); // NaN where there are none
    }
}
