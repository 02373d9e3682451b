package io.cutwater.state.cluster;

import java.util.Arrays;

/** The partitions of clusters whose vertices have been placed already. */
public final class ClusterHomes {
    /** Says where a vertex is. */
    @FunctionalInterface
    public interface Places {
        /** Adds to the weight of each partition what the vertex has there. */
        void add(int vertex, long[] weights);
    }

    private ClusterHomes() {}

    /**
     * The partition where a cluster's vertices have the largest weight, the lowest of equally good ones.
     *
     * @param clusters the cluster of each vertex, 0 to c − 1 without a gap
     * @param partitionCount how many partitions there are now
     */
    public static int[] of(int[] clusters, int partitionCount, Places places) {
        int clusterCount = Arrays.stream(clusters).max().orElse(-1) + 1;
        int[] ends = new int[clusterCount];
        for (int cluster : clusters) {
            ends[cluster]++;
        }
        Arrays.parallelPrefix(ends, Integer::sum);
        int[] members = new int[clusters.length];
        int[] next = ends.clone();
        for (int v = clusters.length - 1; v >= 0; v--) {
            members[--next[clusters[v]]] = v;
        }
        int[] homes = new int[clusterCount];
        long[] weights = new long[partitionCount];
        for (int cluster = 0; cluster < clusterCount; cluster++) {
            Arrays.fill(weights, 0);
            for (int i = next[cluster]; i < ends[cluster]; i++) {
                places.add(members[i], weights);
            }
            for (int p = 1; p < partitionCount; p++) {
                homes[cluster] = weights[p] > weights[homes[cluster]] ? p : homes[cluster];
            }
        }
        return homes;
    }
}
