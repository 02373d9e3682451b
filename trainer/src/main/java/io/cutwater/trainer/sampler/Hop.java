package io.cutwater.trainer.sampler;

/**
 * The edges over which one layer of a network looks: from sources to targets, by number within the hop. The first
 * {@code targetCount} sources are the targets themselves, in their order. The edges of target t are those from
 * {@code offsets[t]} to {@code offsets[t + 1]} − 1.
 *
 * @param offsets as many as there are targets, and one
 * @param sources of each edge
 * @param listed neighbours of each target in the shard, of which the hop may have a sample only
 * @param degrees of each source: its edges in the whole graph, of which the shard may have some only
 */
public record Hop(int targetCount, int[] offsets, int[] sources, int[] listed, int[] degrees) {
    public int sourceCount() {
        return degrees.length;
    }

    public int edgeCount() {
        return sources.length;
    }

    /** Edges of a target. */
    public int size(int target) {
        return offsets[target + 1] - offsets[target];
    }
}
