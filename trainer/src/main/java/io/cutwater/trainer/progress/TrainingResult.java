package io.cutwater.trainer.progress;

import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.Traffic;

/**
 * The result of a training.
 *
 * @param weights model with the lowest validation loss
 * @param counts accuracy of that model
 * @param bestEpoch number of epochs before its test
 * @param epochs number of epochs, those before a resume included
 * @param secondsPerEpoch average of this run, tests included
 * @param bytesAveraged bytes of models sent, both ways
 * @param traffic rows that workers exchanged in this run
 * @param locality part of the mini-batches of this run that shards had themselves; nothing if they had all
 */
public record TrainingResult(
        float[][] weights,
        AccuracyCounts counts,
        int bestEpoch,
        int epochs,
        int rounds,
        double secondsPerEpoch,
        long bytesAveraged,
        Traffic traffic,
        Locality locality) {}
