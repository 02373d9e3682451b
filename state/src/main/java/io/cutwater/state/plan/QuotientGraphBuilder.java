package io.cutwater.state.plan;

import io.cutwater.state.graph.Hashing;
import java.util.Arrays;

/**
 * Counts vertices, volumes and the edges between clusters, from a pass over the vertices or over the edges.
 *
 * <p>Pairs of clusters may be limited. When they are too many, the lightest are forgotten, at least half of them, as
 * often as that is needed: then the result depends on the order of the edges, and a light pair counts for less than it
 * has, or for nothing. Without communities, nearly every edge is a pair of its own, and no plan can help there.
 */
public final class QuotientGraphBuilder {
    private static final long FREE = -1;
    private static final int LEAST_PAIRS = 1 << 20;

    private final long[] sizes;
    private final long[] volumes;
    private final long[] trainings;
    private final int maxPairs;
    private long[] pairs = new long[1 << 10];
    private long[] counts = new long[1 << 10];
    private int pairCount;
    private boolean isThinned;

    /** @param clusterCount c: clusters are 0 to c − 1 */
    public QuotientGraphBuilder(int clusterCount) {
        this(clusterCount, Integer.MAX_VALUE);
    }

    /**
     * @param clusterCount c: clusters are 0 to c − 1
     * @param maxPairs pairs of clusters that are counted at a time, at least 1; 21 to 43 bytes each
     */
    public QuotientGraphBuilder(int clusterCount, int maxPairs) {
        this.maxPairs = maxPairs;
        sizes = new long[clusterCount];
        volumes = new long[clusterCount];
        trainings = new long[clusterCount];
        Arrays.fill(pairs, FREE);
    }

    /**
     * The least limit of pairs: memory stays proportional to the vertices of a large graph, and a small graph has
     * enough.
     */
    public static int pairsFor(int vertexCount) {
        return Math.max(LEAST_PAIRS, vertexCount);
    }

    /** A vertex of a cluster. */
    public void addVertex(int cluster, int degree) {
        sizes[cluster]++;
        volumes[cluster] += degree;
    }

    /** Vertices of a cluster. @param training how many of them are trained on */
    public void addVertices(int cluster, long count, long volume, long training) {
        sizes[cluster] += count;
        volumes[cluster] += volume;
        trainings[cluster] += training;
    }

    /** Says of a vertex that was added that it is trained on. */
    public void addTraining(int cluster) {
        trainings[cluster]++;
    }

    /** Adds an edge between vertices of two clusters; an edge within a cluster is ignored. */
    public void addEdge(int cluster, int otherCluster) {
        if (cluster != otherCluster) {
            count((long) Math.min(cluster, otherCluster) << 32 | Math.max(cluster, otherCluster), 1);
        }
    }

    /** Adds edges between two clusters at once. */
    public void addEdges(int cluster, int otherCluster, long count) {
        count((long) Math.min(cluster, otherCluster) << 32 | Math.max(cluster, otherCluster), count);
    }

    private void count(long pair, long weight) {
        int mask = pairs.length - 1;
        int position = (int) Hashing.mix64(pair) & mask;
        while (pairs[position] != FREE && pairs[position] != pair) {
            position = (position + 1) & mask;
        }
        if (pairs[position] == FREE) {
            if (pairCount >= maxPairs) {
                forgetLight();
                count(pair, weight);
                return;
            }
            if (pairCount >= pairs.length / 4 * 3) {
                rebuild(Math.multiplyExact(pairs.length, 2), 0);
                count(pair, weight);
                return;
            }
            pairs[position] = pair;
            pairCount++;
        }
        counts[position] += weight;
    }

    /** Says that light pairs were forgotten before they came here. */
    void thinned() {
        isThinned = true;
    }

    /** Forgets the pairs up to the power of two that half of them have at most. */
    private void forgetLight() {
        isThinned = true;
        long weight = 1;
        while (pairsUpTo(weight) < (pairCount + 1) / 2) {
            weight *= 2;
        }
        rebuild(pairs.length, weight);
    }

    private int pairsUpTo(long weight) {
        int found = 0;
        for (int i = 0; i < pairs.length; i++) {
            found += pairs[i] != FREE && counts[i] <= weight ? 1 : 0;
        }
        return found;
    }

    /** @param forgotten pairs up to this weight are left out */
    private void rebuild(int capacity, long forgotten) {
        long[] oldPairs = pairs;
        long[] oldCounts = counts;
        pairs = new long[capacity];
        counts = new long[capacity];
        Arrays.fill(pairs, FREE);
        pairCount = 0;
        for (int i = 0; i < oldPairs.length; i++) {
            if (oldPairs[i] != FREE && oldCounts[i] > forgotten) {
                count(oldPairs[i], oldCounts[i]);
            }
        }
    }

    /** The graph; lists of neighbours are in ascending order. */
    public QuotientGraph build() {
        int clusterCount = sizes.length;
        long[] sorted = new long[pairCount];
        int[] offsets = new int[clusterCount + 1];
        int size = 0;
        for (int i = 0; i < pairs.length; i++) {
            if (pairs[i] != FREE) {
                sorted[size++] = pairs[i];
                offsets[(int) (pairs[i] >>> 32) + 1]++;
                offsets[(int) pairs[i] + 1]++;
            }
        }
        Arrays.sort(sorted);
        Arrays.parallelPrefix(offsets, Math::addExact);
        int[] next = offsets.clone();
        int[] targets = new int[2 * pairCount];
        long[] weights = new long[2 * pairCount];
        for (long pair : sorted) {
            int low = (int) (pair >>> 32);
            int high = (int) pair;
            long weight = counts[position(pair)];
            targets[next[low]] = high;
            weights[next[low]++] = weight;
            targets[next[high]] = low;
            weights[next[high]++] = weight;
        }
        return new QuotientGraph(
                sizes.clone(), volumes.clone(), trainings.clone(), offsets, targets, weights, isThinned);
    }

    private int position(long pair) {
        int mask = pairs.length - 1;
        int position = (int) Hashing.mix64(pair) & mask;
        while (pairs[position] != pair) {
            position = (position + 1) & mask;
        }
        return position;
    }
}
