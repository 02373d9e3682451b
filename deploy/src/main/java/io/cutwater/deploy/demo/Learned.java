package io.cutwater.deploy.demo;

import io.cutwater.trainer.progress.TrainingResult;

/**
 * Result of a training.
 *
 * @param secondsPerEpoch with tests and merges, without waiting
 */
public record Learned(TrainingResult result, double secondsPerEpoch) {}
