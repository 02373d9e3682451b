package io.cutwater.state.plan;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The plan of 2PS, SIGMA and SPRING: the largest cluster first, each to the partition with the least weight so far, who
 * is connected to whom left aside. Of equally large clusters the lowest comes first, of equally full partitions the
 * lowest takes it.
 */
public final class LargestFirst {
    private LargestFirst() {}

    /**
     * The partition of each cluster, 0 to k − 1.
     *
     * @param weights weight of each cluster
     */
    public static int[] plan(long[] weights, int partitionCount) {
        int[] order = IntStream.range(0, weights.length)
                .boxed()
                .sorted(Comparator.comparingLong((Integer c) -> -weights[c]))
                .mapToInt(Integer::intValue)
                .toArray();
        int[] partitions = new int[weights.length];
        long[] loads = new long[partitionCount];
        for (int cluster : order) {
            int emptiest = 0;
            for (int p = 1; p < partitionCount; p++) {
                emptiest = loads[p] < loads[emptiest] ? p : emptiest;
            }
            partitions[cluster] = emptiest;
            loads[emptiest] += weights[cluster];
        }
        return partitions;
    }
}
