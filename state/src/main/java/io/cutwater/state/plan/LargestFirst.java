package io.cutwater.state.plan;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * The plan of 2PS, SIGMA and SPRING: the largest cluster first, each to the partition with the least weight so far, who
 * is connected to whom left aside. Of equally large clusters the lowest comes first, of equally full partitions the
 * lowest takes it.
 */
public final class LargestFirst {
    private record Load(long weight, int partition) {}

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
        PriorityQueue<Load> emptiestFirst =
                new PriorityQueue<>(Comparator.comparingLong(Load::weight).thenComparingInt(Load::partition));
        for (int p = 0; p < partitionCount; p++) {
            emptiestFirst.add(new Load(0, p));
        }
        for (int cluster : order) {
            Load emptiest = emptiestFirst.element();
            partitions[cluster] = emptiest.partition;
            if (weights[cluster] > 0) {
                emptiestFirst.remove();
                emptiestFirst.add(new Load(emptiest.weight + weights[cluster], emptiest.partition));
            }
        }
        return partitions;
    }
}
