package io.cutwater.state.passes;

/** The gains of partitions by one edge; sparse, so that clearing it is cheap. */
public final class PartitionGains {
    private final double[] gains;
    private final long[] edges; // number of the edge that a partition was named for last
    private final int[] partitions;
    private int size;
    private long edge = 1;

    public PartitionGains(int partitionCount) {
        gains = new double[partitionCount];
        edges = new long[partitionCount];
        partitions = new int[partitionCount];
    }

    /** SIGMA's gains: 2 − d(x) / (d(u) + d(v)) for each end x on the partitions where it has an edge. */
    public void addHolders(int source, int target, int sourceDegree, int targetDegree, EdgeCounts counts) {
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
                add(EdgeCounts.partition(page[i]), gain);
            }
        }
    }

    public void add(int partition, double gain) {
        if (edges[partition] != edge) {
            edges[partition] = edge;
            gains[partition] = gain;
            partitions[size++] = partition;
        } else {
            gains[partition] += gain;
        }
    }

    /** Partitions that were named. */
    public int size() {
        return size;
    }

    /** One of them, 0 to {@link #size()} − 1, in the order in which they were named. */
    public int partition(int i) {
        return partitions[i];
    }

    /** 0 for a partition that was not named. */
    public double of(int partition) {
        return edges[partition] == edge ? gains[partition] : 0;
    }

    /** Begins with the next edge. */
    public void clear() {
        size = 0;
        edge++;
    }
}
