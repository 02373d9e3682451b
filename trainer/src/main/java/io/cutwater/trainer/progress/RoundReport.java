package io.cutwater.trainer.progress;

import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.ShardSize;
import io.cutwater.trainer.shard.ShardCut;

/**
 * What a round did.
 *
 * @param round from 1
 * @param epochs done so far
 * @param work of all workers in the epochs of this round
 * @param counts of the averaged model, over all shards that answered
 * @param missing shards whose models are not in the average, for this or that reason
 * @param bytesAveraged of models that were sent, both ways, so far
 * @param seconds that the round took, its test and a merge before it included
 * @param cut that it trained on
 * @param size of the shards that answered
 */
public record RoundReport(
        int round,
        int epochs,
        EpochReport work,
        AccuracyCounts counts,
        int missing,
        long bytesAveraged,
        double seconds,
        ShardCut cut,
        ShardSize size) {}
