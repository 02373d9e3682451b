package io.cutwater.trainer.progress;

import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.shard.ShardCut;
import org.jspecify.annotations.Nullable;

/**
 * The state of a training, besides its options and shards.
 *
 * @param options description of the options, to refuse a checkpoint of another training
 * @param round last complete round
 * @param epochs number of complete epochs
 * @param cut cut of the last round
 * @param mergedAt number of epochs at the last look for a newer cut
 * @param state averaged model
 * @param best best model of this cut; null before the first test
 */
public record Checkpoint(
        String options,
        ShardCut cut,
        int mergedAt,
        int round,
        int epochs,
        long bytesAveraged,
        ModelState state,
        @Nullable BestModel best) {}
