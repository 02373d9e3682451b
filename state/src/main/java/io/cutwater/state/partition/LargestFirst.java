package io.cutwater.state.partition;

import io.cutwater.state.cluster.EdgeStreamClustering;

/**
 * Settles clusters on partitions: by falling volume, each on the partition with the least volume so far (Graham: Bounds
 * on multiprocessing timing anomalies, 1969); ties go to the lower cluster and the lower partition.
 */
final class LargestFirst {
    private static final int NUMBER_BITS = 12;
    private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;

    private LargestFirst() {}

    static void settle(EdgeStreamClustering clusters, int partitionCount) {
        long[] heap = new long[partitionCount]; // volume and number of each partition in one, the smallest at 0
        for (int p = 0; p < partitionCount; p++) {
            heap[p] = p;
        }
        for (int cluster : byFallingVolume(clusters)) {
            clusters.settle(cluster, (int) heap[0] & NUMBER_MASK);
            heap[0] += clusters.volume(cluster) << NUMBER_BITS;
            siftDown(heap);
        }
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
    private static int[] byFallingVolume(EdgeStreamClustering clusters) {
        int count = clusters.count();
        int[] from = new int[count];
        for (int cluster = 0; cluster < count; cluster++) {
            from[cluster] = cluster;
        }
        int[] to = new int[count];
        for (int width = 1; width < count; width = Math.min(count, 2 * width)) {
            for (int start = 0; start < count; start += 2 * width) {
                merge(clusters, from, to, start, width);
            }
            int[] merged = to;
            to = from;
            from = merged;
        }
        return from;
    }

    private static void merge(EdgeStreamClustering clusters, int[] from, int[] to, int start, int width) {
        int left = start;
        int middle = Math.min(start + width, from.length);
        int right = middle;
        int end = Math.min(middle + width, from.length);
        for (int i = start; i < end; i++) {
            boolean takesLeft =
                    left < middle && (right == end || clusters.volume(from[left]) >= clusters.volume(from[right]));
            to[i] = takesLeft ? from[left++] : from[right++];
        }
    }
}
