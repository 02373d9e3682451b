package io.cutwater.trainer.progress;

import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.ShardSize;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.shard.ShardCut;

/**
 * The result of the rounds between two tests, normally of one round.
 *
 * @param round number of the last round, from 1
 * @param epochs number of epochs done so far
 * @param work work of all workers since the previous test
 * @param counts accuracy of the averaged model, over all shards that answered
 * @param workers number of workers at the end
 * @param missing number of shards without a part in the average
 * @param bytesAveraged bytes of models sent so far, both ways
 * @param traffic rows that workers exchanged in the round and its test
 * @param locality part of the mini-batches that shards had themselves; nothing if they had all
 * @param seconds duration of the rounds, with their test and a move to a newer cut
 * @param cut cut of the round
 * @param size size of the shards that answered
 */
public record RoundReport(
        int round,
        int epochs,
        EpochReport work,
        AccuracyCounts counts,
        int workers,
        int missing,
        long bytesAveraged,
        Traffic traffic,
        Locality locality,
        double seconds,
        ShardCut cut,
        ShardSize size) {}
