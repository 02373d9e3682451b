package io.cutwater.trainer.sampler;

import java.util.Arrays;

/**
 * The edges of one layer, from sources to targets, by number within the hop. The first {@code targetCount} sources are
 * the targets, in the same order. The edges of target t are those from {@code offsets[t]} to {@code offsets[t + 1]} −
 * 1.
 *
 * @param offsets one entry per target, and one more
 * @param sources source of each edge
 * @param listed number of neighbours of each target in the shard, of which the hop may have a sample
 * @param degrees degree of each source in the whole graph
 */
public record Hop(int targetCount, int[] offsets, int[] sources, int[] listed, int[] degrees) {
    /** Returns the edges of the first targets, with all sources. */
    public Hop first(int targets) {
        if (targets == targetCount) {
            return this;
        }
        int[] starts = Arrays.copyOf(offsets, targets + 1);
        return new Hop(
                targets, starts, Arrays.copyOf(sources, starts[targets]), Arrays.copyOf(listed, targets), degrees);
    }

    public int sourceCount() {
        return degrees.length;
    }

    public int edgeCount() {
        return sources.length;
    }

    /** Returns the number of edges of a target. */
    public int size(int target) {
        return offsets[target + 1] - offsets[target];
    }
}
