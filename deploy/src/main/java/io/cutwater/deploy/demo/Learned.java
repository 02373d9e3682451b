package io.cutwater.deploy.demo;

import io.cutwater.trainer.progress.TrainingResult;

/**
 * What came of a training.
 *
 * @param secondsPerEpoch tests and merges included, but not what was waited for
 */
public record Learned(TrainingResult result, double secondsPerEpoch) {}
