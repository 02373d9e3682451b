package io.cutwater.trainer.progress;

import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.shard.ShardCut;
import org.jspecify.annotations.Nullable;

/**
 * All that the rest of a training depends on, beside its options and shards.
 *
 * @param options in words, to refuse a checkpoint of another training
 * @param round last one that was done
 * @param epochs done so far
 * @param cut that it trained on
 * @param mergedAt epochs that were done when the graph was last looked at
 * @param state of the averaged model
 * @param best of this cut; null before the first test
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
