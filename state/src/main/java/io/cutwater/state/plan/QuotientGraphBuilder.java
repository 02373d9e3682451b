package io.cutwater.state.plan;

import io.cutwater.state.graph.Hashing;
import java.util.Arrays;

/** Counts vertices, volumes and the edges between clusters, from a pass over the vertices or over the edges. */
public final class QuotientGraphBuilder {
    private static final long FREE = -1;

    private final long[] sizes;
    private final long[] volumes;
    private final long[] trainings;
    private long[] pairs = new long[1 << 10];
    private long[] counts = new long[1 << 10];
    private int pairCount;

    /** @param clusterCount c: clusters are 0 to c − 1 */
    public QuotientGraphBuilder(int clusterCount) {
        sizes = new long[clusterCount];
        volumes = new long[clusterCount];
        trainings = new long[clusterCount];
        Arrays.fill(pairs, FREE);
    }

    /** A vertex of a cluster. */
    public void addVertex(int cluster, int degree) {
        sizes[cluster]++;
        volumes[cluster] += degree;
    }

    /** Says of a vertex that was added that it is trained on. */
    public void addTraining(int cluster) {
        trainings[cluster]++;
    }

    /** An edge between vertices of two clusters; in one cluster it is nobody's neighbour and counts for nothing. */
    public void addEdge(int cluster, int otherCluster) {
        if (cluster != otherCluster) {
            count((long) Math.min(cluster, otherCluster) << 32 | Math.max(cluster, otherCluster), 1);
        }
    }

    private void count(long pair, long weight) {
        int mask = pairs.length - 1;
        int position = (int) Hashing.mix64(pair) & mask;
        while (pairs[position] != FREE && pairs[position] != pair) {
            position = (position + 1) & mask;
        }
        if (pairs[position] == FREE) {
            if (2 * pairCount >= mask) {
                grow();
                count(pair, weight);
                return;
            }
            pairs[position] = pair;
            pairCount++;
        }
        counts[position] += weight;
    }

    private void grow() {
        long[] oldPairs = pairs;
        long[] oldCounts = counts;
        int capacity = Math.multiplyExact(oldPairs.length, 2);
        pairs = new long[capacity];
        counts = new long[capacity];
        Arrays.fill(pairs, FREE);
        pairCount = 0;
        for (int i = 0; i < oldPairs.length; i++) {
            if (oldPairs[i] != FREE) {
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
        return new QuotientGraph(sizes.clone(), volumes.clone(), trainings.clone(), offsets, targets, weights);
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
