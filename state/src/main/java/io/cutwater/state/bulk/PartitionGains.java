package io.cutwater.state.bulk;

/** What partitions gain by one edge; sparse, and emptied at a cost of what was in it. */
final class PartitionGains {
    private final double[] gains;
    private final boolean[] isIn;
    private final int[] ends;
    private final int[] partitions;
    private int size;

    PartitionGains(int partitionCount) {
        gains = new double[partitionCount];
        isIn = new boolean[partitionCount];
        ends = new int[partitionCount];
        partitions = new int[partitionCount];
    }

    /** SIGMA's gains: 2 − d(x) / (d(u) + d(v)) for each end x on the partitions where it has an edge. */
    void addHolders(int source, int target, int sourceDegree, int targetDegree, EdgeCounts counts) {
        double degrees = (double) sourceDegree + targetDegree;
        addAll(source, 2 - sourceDegree / degrees, counts);
        addAll(target, 2 - targetDegree / degrees, counts);
    }

    private void addAll(int vertex, double gain, EdgeCounts counts) {
        int size = counts.size(vertex);
        if (size > 0) {
            long[] page = counts.page(vertex);
            int first = counts.first(vertex);
            for (int i = first; i < first + size; i++) {
                int partition = EdgeCounts.partition(page[i]);
                add(partition, gain);
                ends[partition]++;
            }
        }
    }

    void add(int partition, double gain) {
        if (!isIn[partition]) {
            isIn[partition] = true;
            partitions[size++] = partition;
        }
        gains[partition] += gain;
    }

    /** Partitions that were named. */
    int size() {
        return size;
    }

    /** One of them, 0 to {@link #size()} − 1, in the order in which they were named. */
    int partition(int i) {
        return partitions[i];
    }

    double of(int partition) {
        return gains[partition];
    }

    /** Ends of the edge that have an edge on a partition: 0 to 2. */
    int ends(int partition) {
        return ends[partition];
    }

    void clear() {
        for (int i = 0; i < size; i++) {
            gains[partitions[i]] = 0;
            isIn[partitions[i]] = false;
            ends[partitions[i]] = 0;
        }
        size = 0;
    }
}
