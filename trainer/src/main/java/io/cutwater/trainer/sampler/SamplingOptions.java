package io.cutwater.trainer.sampler;

import java.util.List;

/**
 * How mini-batches are made.
 *
 * @param fanouts neighbours per vertex, one entry per layer, that of the seeds first; {@link #ALL} takes every one
 * @param batchSize seeds of a step; {@link #ALL} takes all training vertices at once
 * @param threads that sample, at least 1
 * @param ahead mini-batches that may be ready before they are asked for, at least 1: what bounds the memory
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

    /** Whether nothing is drawn: an epoch has one mini-batch, with all training vertices and all their neighbours. */
    boolean takesAll() {
        return batchSize == ALL && fanouts.stream().allMatch(fanout -> fanout == ALL);
    }
}
