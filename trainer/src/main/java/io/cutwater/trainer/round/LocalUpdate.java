package io.cutwater.trainer.round;

/**
 * What a worker hands over after a round on one shard.
 *
 * @param examples what its model counts for in the average: training vertices of the shard, or of the round's
 *     mini-batches; 0 where there were none
 * @param epochBatches mini-batches of a whole epoch on the shard
 * @param size of the shard
 */
public record LocalUpdate(ModelState state, long examples, int epochBatches, EpochReport report, ShardSize size) {}
