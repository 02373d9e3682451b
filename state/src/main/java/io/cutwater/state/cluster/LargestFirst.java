package io.cutwater.state.cluster;

import io.cutwater.state.table.VertexLayout;

/**
 * The plan of 2PS, SIGMA and SPRING: the largest cluster first, each to the partition with the least weight so far
 * (Graham: Bounds on multiprocessing timing anomalies, 1969), without regard to edges. Ties go to the lowest cluster
 * and to the lowest partition.
 */
public final class LargestFirst {
    private static final int NUMBER_BITS = 12;
    private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;

    private LargestFirst() {}

    /**
     * The partition of each cluster, 0 to k − 1.
     *
     * @param weights weight of each cluster, from 0 on; below 2^51 all together
     * @param partitionCount k, 1 to {@value VertexLayout#MAX_PARTITIONS}
     */
    public static int[] plan(long[] weights, int partitionCount) {
        if (partitionCount < 1 || partitionCount > VertexLayout.MAX_PARTITIONS) {
            throw new IllegalArgumentException(
                    "partitions must be in [1, %d]: %d".formatted(VertexLayout.MAX_PARTITIONS, partitionCount));
        }
        long[] heap = new long[partitionCount]; // weight and number of each partition in one, the smallest at 0
        for (int p = 0; p < partitionCount; p++) {
            heap[p] = p;
        }
        int[] partitions = new int[weights.length];
        for (int cluster : byFallingWeight(weights)) {
            partitions[cluster] = (int) heap[0] & NUMBER_MASK;
            heap[0] += weights[cluster] << NUMBER_BITS;
            siftDown(heap);
        }
        return partitions;
    }

    private static void siftDown(long[] heap) {
        int node = 0;
        while (true) {
            int child = 2 * node + 1;
            if (child >= heap.length) {
                return;
            }
            if (child + 1 < heap.length && heap[child + 1] < heap[child]) {
                child++;
            }
            if (heap[node] <= heap[child]) {
                return;
            }
            long smaller = heap[child];
            heap[child] = heap[node];
            heap[node] = smaller;
            node = child;
        }
    }

    /** A merge sort from the bottom up, for it is stable and boxes nothing. */
    private static int[] byFallingWeight(long[] weights) {
        int count = weights.length;
        int[] from = new int[count];
        for (int cluster = 0; cluster < count; cluster++) {
            from[cluster] = cluster;
        }
        int[] to = new int[count];
        for (long width = 1; width < count; width *= 2) {
            for (long start = 0; start < count; start += 2 * width) {
                merge(weights, from, to, (int) start, (int) Math.min(count, start + width));
            }
            int[] merged = to;
            to = from;
            from = merged;
        }
        return from;
    }

    /** Merges the clusters from {@code start} with as many from {@code middle} on. */
    private static void merge(long[] weights, int[] from, int[] to, int start, int middle) {
        int left = start;
        int right = middle;
        int end = (int) Math.min(2L * middle - start, from.length);
        for (int i = start; i < end; i++) {
            boolean takesLeft = left < middle && (right == end || weights[from[left]] >= weights[from[right]]);
            to[i] = takesLeft ? from[left++] : from[right++];
        }
    }
}
