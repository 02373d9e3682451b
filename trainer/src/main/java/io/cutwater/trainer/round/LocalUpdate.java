package io.cutwater.trainer.round;

/**
 * The result of a worker after a round on one shard.
 *
 * @param examples weight of the model in the average: training vertices of the shard, or of the round's mini-batches; 0
 *     if there were none
 * @param epochBatches mini-batches of a whole epoch on the shard
 * @param size size of the shard
 */
public record LocalUpdate(ModelState state, long examples, int epochBatches, EpochReport report, ShardSize size) {}
