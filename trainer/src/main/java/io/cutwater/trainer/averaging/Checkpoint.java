package io.cutwater.trainer.averaging;

import io.cutwater.trainer.training.AdamState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that the rest of a training depends on, beside its options and shards.
 *
 * @param options in words, to refuse a checkpoint of another training
 * @param round last one that was done
 * @param epochs done so far
 * @param weights of the averaged model
 * @param best null before the first test
 * @param optimisers by shard; null for one that has not trained yet
 */
record Checkpoint(
        String options,
        int round,
        int epochs,
        long bytesAveraged,
        float[][] weights,
        @Nullable BestModel best,
        List<@Nullable AdamState> optimisers) {}
