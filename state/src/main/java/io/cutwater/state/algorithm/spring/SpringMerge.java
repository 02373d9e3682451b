package io.cutwater.state.algorithm.spring;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * SPRING's second step: small clusters join others. The smallest cluster first (of equally small ones the one opened
 * first), each joins the cluster of its representative's richest neighbour if both together are within the cap, and
 * what has come of it takes its new rank among those that wait. A cluster that cannot join stays as it is, but others
 * may still join it.
 *
 * <p>The representative of a cluster is its vertex of highest degree, of several the first in the input, and that of
 * the cluster which was joined stays the representative of both.
 */
final class SpringMerge {
    private final SpringClusters clusters;
    private final int[] sizes;
    private final int[] joined;

    private record Waiting(int size, int cluster) {}

    /** @param maxSize cap on the vertices of a cluster that comes of joining */
    public SpringMerge(SpringClusters clusters, double maxSize) {
        this.clusters = clusters;
        int vertexCount = clusters.vertexCount();
        sizes = new int[vertexCount];
        joined = new int[vertexCount];
        Arrays.setAll(joined, c -> c);
        int[] representatives = representatives();
        PriorityQueue<Waiting> waiting =
                new PriorityQueue<>(Comparator.comparingInt(Waiting::size).thenComparingInt(Waiting::cluster));
        for (int c = 0; c < vertexCount; c++) {
            if (sizes[c] > 0) {
                waiting.add(new Waiting(sizes[c], c));
            }
        }
        while (!waiting.isEmpty()) {
            Waiting smallest = waiting.remove();
            int cluster = smallest.cluster;
            if (joined[cluster] == cluster && sizes[cluster] == smallest.size) { // otherwise it has another rank now
                int other = root(clusters.cluster(clusters.richest(representatives[cluster])));
                if (other != cluster && sizes[other] + sizes[cluster] <= maxSize) {
                    joined[cluster] = other;
                    sizes[other] += sizes[cluster];
                    waiting.add(new Waiting(sizes[other], other));
                }
            }
        }
    }

    private int[] representatives() {
        int[] representatives = new int[sizes.length];
        for (int v = 0; v < sizes.length; v++) {
            int cluster = clusters.cluster(v);
            if (sizes[cluster]++ == 0 || isBefore(v, representatives[cluster])) {
                representatives[cluster] = v;
            }
        }
        return representatives;
    }

    private boolean isBefore(int one, int other) {
        return clusters.degree(one) > clusters.degree(other)
                || clusters.degree(one) == clusters.degree(other) && clusters.opened(one) < clusters.opened(other);
    }

    private int root(int cluster) {
        int root = cluster;
        while (joined[root] != root) {
            joined[root] = joined[joined[root]];
            root = joined[root];
        }
        return root;
    }

    /** The cluster of a vertex after joining. */
    int cluster(int vertex) {
        return root(clusters.cluster(vertex));
    }
}
