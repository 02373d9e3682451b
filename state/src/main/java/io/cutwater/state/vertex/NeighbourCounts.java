package io.cutwater.state.vertex;

/** How many neighbours of one vertex are on each partition; sparse, and emptied at a cost of what was in it. */
final class NeighbourCounts {
    private final int[] counts;
    private final int[] partitions;
    private int size;

    NeighbourCounts(int partitionCount) {
        counts = new int[partitionCount];
        partitions = new int[partitionCount];
    }

    /** Counts the neighbours that have a place; a self-loop is no neighbour. */
    void count(int vertex, int[] neighbours, int from, int to, VertexPlacement placement) {
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

    void clear() {
        for (int i = 0; i < size; i++) {
            counts[partitions[i]] = 0;
        }
        size = 0;
    }

    /** Counts a neighbour on a partition; @param weight at least 1 */
    void add(int partition, int weight) {
        if (counts[partition] == 0) {
            partitions[size++] = partition;
        }
        counts[partition] += weight;
    }

    /** Partitions with a neighbour. */
    int size() {
        return size;
    }

    /** One of them, 0 to {@link #size()} − 1, in the order in which they were met. */
    int partition(int i) {
        return partitions[i];
    }

    /** Neighbours on a partition. */
    int of(int partition) {
        return counts[partition];
    }
}
