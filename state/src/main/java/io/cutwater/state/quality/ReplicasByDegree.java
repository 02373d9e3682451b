package io.cutwater.state.quality;

import java.util.ArrayList;
import java.util.List;

/**
 * The mean number of replicas of the vertices of each degree, in bins: one per degree up to 15, then four to each
 * doubling of the degree. Vertices of high degree have more replicas, and how fast the number grows shows what an
 * algorithm does with hubs. Takes constant memory and time per vertex. Not thread-safe.
 */
public final class ReplicasByDegree {
    private static final int EXACT = 16;
    private static final int PARTS_BITS = 2;
    private static final int BINS = EXACT + ((Long.SIZE - 1 - 4) << PARTS_BITS);

    private final long[] vertices = new long[BINS];
    private final double[] degrees = new double[BINS];
    private final long[] replicas = new long[BINS];

    /**
     * The vertices of a bin.
     *
     * @param vertices their number, at least 1
     * @param degree mean degree
     * @param replicas mean number of replicas
     */
    public record Bin(long vertices, double degree, double replicas) {}

    /**
     * Counts a vertex.
     *
     * @param degree degree, at least 0
     * @param replicaCount number of partitions that have the vertex
     */
    public void add(long degree, int replicaCount) {
        int bin = bin(degree);
        vertices[bin]++;
        degrees[bin] += degree;
        replicas[bin] += replicaCount;
    }

    private static int bin(long degree) {
        if (degree < EXACT) {
            return (int) degree;
        }
        int doublings = Long.SIZE - 1 - Long.numberOfLeadingZeros(degree);
        int part = (int) (degree >>> (doublings - PARTS_BITS)) & ((1 << PARTS_BITS) - 1);
        return EXACT + ((doublings - 4) << PARTS_BITS) + part;
    }

    /** Returns the bins that have vertices, by ascending degree. */
    public List<Bin> bins() {
        List<Bin> bins = new ArrayList<>();
        for (int bin = 0; bin < BINS; bin++) {
            if (vertices[bin] > 0) {
                bins.add(new Bin(vertices[bin], degrees[bin] / vertices[bin], (double) replicas[bin] / vertices[bin]));
            }
        }
        return bins;
    }

    /**
     * Returns the expected number of replicas of a vertex if its edges, or its neighbours, were on random partitions: k
     * (1 − (1 − 1/k)^d) in an edge partitioning, and 1 + (k − 1) (1 − (1 − 1/k)^d) in a vertex partitioning, where the
     * vertex has an owner besides (PowerGraph, Gonzalez et al., OSDI 2012, theorem 5.2, for edges).
     *
     * @param degree d, distinct neighbours
     * @param partitions k, at least 1
     * @param isOfVertices whether vertices are placed
     */
    public static double random(double degree, int partitions, boolean isOfVertices) {
        double reached = 1 - Math.pow(1 - 1.0 / partitions, degree);
        return isOfVertices ? 1 + (partitions - 1) * reached : partitions * reached;
    }
}
