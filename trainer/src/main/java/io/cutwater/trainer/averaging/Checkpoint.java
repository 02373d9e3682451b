package io.cutwater.trainer.averaging;

import io.cutwater.trainer.training.ModelState;
import org.jspecify.annotations.Nullable;

/**
 * All that the rest of a training depends on, beside its options and shards.
 *
 * @param options in words, to refuse a checkpoint of another training
 * @param round last one that was done
 * @param epochs done so far
 * @param shards how many there are
 * @param state of the averaged model
 * @param best null before the first test
 */
record Checkpoint(
        String options,
        int shards,
        int round,
        int epochs,
        long bytesAveraged,
        ModelState state,
        @Nullable BestModel best) {}
