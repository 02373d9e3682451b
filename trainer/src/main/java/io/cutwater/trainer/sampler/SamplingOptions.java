package io.cutwater.trainer.sampler;

import java.util.List;

/**
 * Options of mini-batches.
 *
 * @param fanouts neighbours per vertex, one entry per layer, the seeds' first; {@link #ALL} for all neighbours
 * @param batchSize seeds of a step; {@link #ALL} for all training vertices at once
 * @param threads sampling threads, at least 1
 * @param ahead mini-batches that may be prepared in advance, at least 1; bounds the memory
 */
public record SamplingOptions(List<Integer> fanouts, int batchSize, int threads, int ahead) {
    public static final int ALL = -1;

    public SamplingOptions {
        fanouts = List.copyOf(fanouts);
        for (int fanout : fanouts) {
            if (fanout < 1 && fanout != ALL) {
                throw new IllegalArgumentException("fanouts must be at least 1, or -1 for all neighbours: " + fanout);
            }
        }
        if (batchSize < 1 && batchSize != ALL) {
            throw new IllegalArgumentException("batchSize must be at least 1, or -1 for all: " + batchSize);
        }
        if (threads < 1 || ahead < 1) {
            throw new IllegalArgumentException(
                    "threads and ahead must be at least 1: %d, %d".formatted(threads, ahead));
        }
    }

    /**
     * Returns whether nothing is sampled: an epoch has one mini-batch, with all training vertices and all their
     * neighbours.
     */
    public boolean takesAll() {
        return batchSize == ALL && fanouts.stream().allMatch(fanout -> fanout == ALL);
    }
}
