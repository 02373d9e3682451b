package io.cutwater.state.algorithm.spring;

import java.util.Arrays;

/**
 * The clustering of SPRING: that of an edge stream (Hollocou, Maudet, Bonald, Lelarge: A streaming algorithm for graph
 * clustering, NIPS workshop 2017) with final degrees, and beside it the neighbour of highest degree of each vertex.
 *
 * <p>A vertex is a cluster of its own at first, with its degree as volume. An edge between two clusters whose volumes
 * are both within the limit moves one end to the other end's cluster: the end in the cluster of lower volume, the
 * source if both are equal.
 *
 * <p>Clusters are numbered in the order in which the edges open them, so that ties which are broken by these numbers
 * depend on the edges alone and not on how the vertices are numbered.
 */
final class SpringClusters {
    private static final int UNSEEN = -1;

    private final long maxVolume;
    private final int[] degrees;
    private final int[] clusters;
    private final int[] opened;
    private final long[] volumes;
    private final int[] richest;
    private int openedCount;

    /**
     * @param degrees final degrees of the vertices 0 to n − 1; kept
     * @param maxVolume a cluster with a larger volume neither takes in nor gives away
     */
    public SpringClusters(int[] degrees, long maxVolume) {
        this.degrees = degrees;
        this.maxVolume = maxVolume;
        clusters = new int[degrees.length];
        opened = new int[degrees.length];
        Arrays.fill(opened, UNSEEN);
        volumes = new long[degrees.length];
        richest = new int[degrees.length];
        Arrays.setAll(richest, v -> v);
        // No edge will open the clusters of vertices that have none: they come behind all others.
        int next = (int) Arrays.stream(degrees).filter(degree -> degree > 0).count();
        for (int v = 0; v < degrees.length; v++) {
            if (degrees[v] == 0) {
                opened[v] = next;
                clusters[v] = next++;
            }
        }
    }

    void add(int source, int target) {
        open(source);
        open(target);
        if (source == target) {
            return;
        }
        remember(source, target);
        remember(target, source);
        int sourceCluster = clusters[source];
        int targetCluster = clusters[target];
        long sourceVolume = volumes[sourceCluster];
        long targetVolume = volumes[targetCluster];
        if (sourceCluster != targetCluster && sourceVolume <= maxVolume && targetVolume <= maxVolume) {
            if (sourceVolume <= targetVolume) {
                move(source, sourceCluster, targetCluster);
            } else {
                move(target, targetCluster, sourceCluster);
            }
        }
    }

    private void open(int vertex) {
        if (opened[vertex] == UNSEEN) {
            opened[vertex] = openedCount;
            clusters[vertex] = openedCount;
            volumes[openedCount++] = degrees[vertex];
        }
    }

    private void remember(int vertex, int neighbour) {
        int before = richest[vertex];
        if (before == vertex || degrees[neighbour] > degrees[before]) {
            richest[vertex] = neighbour;
        }
    }

    private void move(int vertex, int from, int to) {
        clusters[vertex] = to;
        volumes[from] -= degrees[vertex];
        volumes[to] += degrees[vertex];
    }

    int vertexCount() {
        return clusters.length;
    }

    /** The cluster of a vertex, 0 to n − 1. */
    int cluster(int vertex) {
        return clusters[vertex];
    }

    /** The cluster that a vertex opened, whether it is still there or not: the place of the vertex in the input. */
    int opened(int vertex) {
        return opened[vertex];
    }

    int degree(int vertex) {
        return degrees[vertex];
    }

    /** The neighbour of highest degree, of several the first; the vertex itself if it has no neighbour. */
    int richest(int vertex) {
        return richest[vertex];
    }
}
