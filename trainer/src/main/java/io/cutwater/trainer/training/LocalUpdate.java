package io.cutwater.trainer.training;

/**
 * What a worker hands over after some epochs on one shard.
 *
 * @param examples training vertices of the shard: what its model counts for in the average
 * @param optimiser for a checkpoint; it stays with the worker otherwise
 */
public record LocalUpdate(float[][] weights, long examples, AdamState optimiser, EpochReport report) {}
