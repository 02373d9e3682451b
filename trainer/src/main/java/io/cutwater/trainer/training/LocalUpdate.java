package io.cutwater.trainer.training;

/**
 * What a worker hands over after some epochs on one shard.
 *
 * @param examples training vertices of the shard: what its model counts for in the average
 * @param size of the shard
 */
public record LocalUpdate(ModelState state, long examples, EpochReport report, ShardSize size) {}
