package io.cutwater.state.rule;

import io.cutwater.state.PublicApi;

/** The neighbours of one vertex by partition; sparse, so that clearing it costs as much as was counted. */
@PublicApi
public final class NeighbourCounts {
    private final int[] counts;
    private final int[] partitions;
    private int size;

    public NeighbourCounts(int partitionCount) {
        counts = new int[partitionCount];
        partitions = new int[partitionCount];
    }

    /** Counts the neighbours that have a place; a self-loop is no neighbour. */
    public void count(int vertex, int[] neighbours, int from, int to, VertexPlacement placement) {
        clear();
        for (int i = from; i < to; i++) {
            int neighbour = neighbours[i];
            if (neighbour != vertex) {
                int partition = placement.partition(neighbour);
                if (partition != VertexPlacement.NOWHERE) {
                    add(partition, 1);
                }
            }
        }
    }

    public void clear() {
        for (int i = 0; i < size; i++) {
            counts[partitions[i]] = 0;
        }
        size = 0;
    }

    /** Counts a neighbour on a partition; @param weight at least 1 */
    public void add(int partition, int weight) {
        if (counts[partition] == 0) {
            partitions[size++] = partition;
        }
        counts[partition] += weight;
    }

    /** Partitions with a neighbour. */
    public int size() {
        return size;
    }

    /** One of them, 0 to {@link #size()} − 1, in the order in which they were met. */
    public int partition(int i) {
        return partitions[i];
    }

    /** Neighbours on a partition. */
    public int of(int partition) {
        return counts[partition];
    }
}
