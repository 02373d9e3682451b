package io.cutwater.state.algorithm.sigma;

import io.cutwater.state.rule.VertexPlacement;

/** On which partitions a vertex has a copy: where it is, and where a neighbour is. One bit for each pair. */
final class VertexCopies {
    private final int words;
    private final long[] bits;

    public VertexCopies(int vertexCount, int partitionCount) {
        words = (partitionCount + Long.SIZE - 1) / Long.SIZE;
        bits = new long[Math.multiplyExact(vertexCount, words)];
    }

    boolean has(int vertex, int partition) {
        return (bits[vertex * words + partition / Long.SIZE] >>> partition & 1) != 0;
    }

    private void add(int vertex, int partition) {
        bits[vertex * words + partition / Long.SIZE] |= 1L << partition;
    }

    /** A vertex comes to a partition: it has a copy with each neighbour that has a place, and they with it. */
    void addAround(int vertex, int partition, int[] neighbours, int from, int to, VertexPlacement placement) {
        add(vertex, partition);
        for (int i = from; i < to; i++) {
            int neighbourPartition = placement.partition(neighbours[i]);
            if (neighbourPartition != VertexPlacement.NOWHERE) {
                add(vertex, neighbourPartition);
                add(neighbours[i], partition);
            }
        }
    }

    /** Adds one to the count of each partition where a vertex has a copy. */
    void count(int vertex, int[] counts) {
        for (int word = 0; word < words; word++) {
            for (long rest = bits[vertex * words + word]; rest != 0; rest &= rest - 1) {
                counts[word * Long.SIZE + Long.numberOfTrailingZeros(rest)]++;
            }
        }
    }
}
