package io.cutwater.trainer.progress;

import io.cutwater.trainer.round.AccuracyCounts;

/**
 * What came of a training.
 *
 * @param weights of the model that was best on the validation vertices
 * @param counts of that model
 * @param bestEpoch after which it was tested
 * @param epochs done in all, those before a resume included
 * @param secondsPerEpoch of this run, tests included
 * @param bytesAveraged of models that were sent, both ways
 */
public record TrainingResult(
        float[][] weights,
        AccuracyCounts counts,
        int bestEpoch,
        int epochs,
        int rounds,
        double secondsPerEpoch,
        long bytesAveraged) {}
