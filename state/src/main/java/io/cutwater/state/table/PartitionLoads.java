package io.cutwater.state.table;

import io.cutwater.state.PublicApi;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Edges and vertices per partition with their extremes, kept up to date as edges are placed. Counts are 64-bit.
 *
 * <p>The lowest-numbered least loaded partition is known without a search. {@code tree} is a tournament between the
 * partitions, which are its leaves k to 2k − 1; node i is the smaller of nodes 2i and 2i + 1, so node 1 the smallest of
 * all. A leaf is its load times 4096 plus its number, so that equal loads go to the lower number. An edge more on a
 * partition changes only the nodes that it had won, two in the mean and log k at most; a scan for the next minimum
 * would cost k steps an edge whenever one partition has fewer edges than the others.
 */
@PublicApi
public final class PartitionLoads {
    private static final int NUMBER_BITS = 12;
    private static final int NUMBER_MASK = VertexLayout.MAX_PARTITIONS - 1;

    private final int partitionCount;
    private final long[] tree;
    private final long[] vertices;
    private long totalEdges;
    private long totalReplicas;
    private long totalVertices;
    private long maxEdges;
    private long maxVertices;
    private boolean isShared;
    private int assigner;
    private int assigners = 1;
    private @Nullable PartitionLoads ofAssigner; // of the partitions on which one of several begins communities

    /** @param partitionCount k, 1 to 4096 */
    public PartitionLoads(int partitionCount) {
        this(new long[partitionCount], new long[partitionCount], 0);
    }

    /**
     * Loads that were counted before.
     *
     * @param edges edges per partition, each below 2^51; copied
     * @param vertices replicas per partition; copied
     * @param totalVertices distinct vertices that have a replica
     */
    public PartitionLoads(long[] edges, long[] vertices, long totalVertices) {
        partitionCount = edges.length;
        if (partitionCount == 0 || partitionCount > VertexLayout.MAX_PARTITIONS || partitionCount != vertices.length) {
            throw new IllegalArgumentException("edges and vertices must have one entry for each of 1 to %d partitions: "
                            .formatted(VertexLayout.MAX_PARTITIONS)
                    + "%d and %d".formatted(edges.length, vertices.length));
        }
        tree = new long[2 * partitionCount];
        this.vertices = vertices.clone();
        this.totalVertices = totalVertices;
        totalReplicas = Arrays.stream(vertices).sum();
        setEdges(edges);
    }

    /** Sets edges and replicas of each partition to counts of all tasks. */
    public void set(long[] edges, long[] replicas) {
        System.arraycopy(replicas, 0, vertices, 0, partitionCount);
        totalReplicas = Arrays.stream(vertices).sum();
        setEdges(edges);
    }

    void setEdges(long[] edges) {
        for (int p = 0; p < partitionCount; p++) {
            tree[partitionCount + p] = edges[p] << NUMBER_BITS | p;
        }
        for (int node = partitionCount - 1; node >= 1; node--) {
            tree[node] = Math.min(tree[2 * node], tree[2 * node + 1]);
        }
        totalEdges = Arrays.stream(edges).sum();
        maxEdges = Arrays.stream(edges).max().orElse(0);
        maxVertices = Arrays.stream(vertices).max().orElse(0);
        if (ofAssigner != null) {
            long[] own = new long[ofAssigner.partitionCount];
            Arrays.setAll(own, i -> edges[i * assigners + assigner]);
            ofAssigner.setEdges(own);
        }
    }

    /**
     * Has one of several assigners begin new communities on the partitions p with p mod A = its number.
     *
     * @param assigners A, or 0 to have it begin on any; the edges are to be set after that
     */
    void beginOn(int assigner, int assigners) {
        this.assigner = assigner;
        this.assigners = assigners;
        ofAssigner = assigners > 0 && assigner < partitionCount
                ? new PartitionLoads((partitionCount - assigner + assigners - 1) / assigners)
                : null;
    }

    /**
     * Lets edges leave that another assigner has counted: these loads are a part of a sum from now on, and may be below
     * 0.
     */
    public void share() {
        isShared = true;
    }

    /** Adds the loads of another assigner. Replicas that both have are counted twice. */
    public void addAll(PartitionLoads other) {
        long[] edges = edges();
        for (int p = 0; p < partitionCount; p++) {
            edges[p] += other.edges(p);
            vertices[p] += other.vertices(p);
        }
        totalVertices += other.totalVertices;
        totalReplicas += other.totalReplicas;
        setEdges(edges);
    }

    public void addEdge(int partition) {
        addEdges(partition, 1);
    }

    void addEdges(int partition, int edges) {
        long[] tree = this.tree;
        int node = partitionCount + partition;
        long before = tree[node];
        long smallest = before + ((long) edges << NUMBER_BITS);
        tree[node] = smallest;
        totalEdges += edges;
        if (ofAssigner != null && partition % assigners == assigner) {
            ofAssigner.addEdges(partition / assigners, edges);
        }
        maxEdges = Math.max(maxEdges, smallest >> NUMBER_BITS);
        while (node > 1 && tree[node >>> 1] == before) {
            smallest = Math.min(smallest, tree[node ^ 1]);
            node >>>= 1;
            tree[node] = smallest;
        }
    }

    /** An edge leaves a partition that has one. */
    public void removeEdge(int partition) {
        long[] tree = this.tree;
        int node = partitionCount + partition;
        long before = tree[node];
        long smaller = before - (1L << NUMBER_BITS);
        if (smaller < 0 && !isShared) {
            throw new IllegalStateException("partition %d has no edge that could leave it".formatted(partition));
        }
        tree[node] = smaller;
        totalEdges--;
        while (node > 1 && tree[node >>> 1] > smaller) {
            node >>>= 1;
            tree[node] = smaller;
        }
        if (before >> NUMBER_BITS == maxEdges) { // of k partitions one is the fullest: seldom, if edges leave anywhere
            maxEdges = edges(0);
            for (int p = 1; p < partitionCount; p++) {
                maxEdges = Math.max(maxEdges, edges(p));
            }
        }
    }

    /** A vertex leaves a partition; @param isLast whether it has no replica anywhere now */
    public void removeReplica(int partition, boolean isLast) {
        if (vertices[partition]-- == maxVertices) {
            maxVertices = Arrays.stream(vertices).max().orElse(0);
        }
        totalReplicas--;
        if (isLast) {
            totalVertices--;
        }
    }

    /** Returns whether there are neither edges nor vertices on this partition or a higher one. */
    public boolean isEmptyFrom(int partition) {
        for (int p = partition; p < partitionCount; p++) {
            if (edges(p) != 0 || vertices[p] != 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns these loads for another number of partitions.
     *
     * @throws IllegalStateException if there are edges or vertices on a partition that would go
     */
    public PartitionLoads resized(int partitionCount) {
        for (int p = partitionCount; p < this.partitionCount; p++) {
            if (edges(p) != 0 || vertices[p] != 0) {
                throw new IllegalStateException(
                        "partition %d cannot go: it has %d edges and %d vertices".formatted(p, edges(p), vertices[p]));
            }
        }
        return first(partitionCount);
    }

    /** The loads of the partitions below {@code count} as if there were no others; beyond k they are empty. */
    public PartitionLoads first(int count) {
        return new PartitionLoads(Arrays.copyOf(edges(), count), Arrays.copyOf(vertices, count), totalVertices);
    }

    /** @param isFirst whether the vertex had no replica anywhere before */
    public void addReplica(int partition, boolean isFirst) {
        maxVertices = Math.max(maxVertices, ++vertices[partition]);
        totalReplicas++;
        if (isFirst) {
            totalVertices++;
        }
    }

    public int partitionCount() {
        return partitionCount;
    }

    public long edges(int partition) {
        return tree[partitionCount + partition] >> NUMBER_BITS;
    }

    /**
     * Load and number of a partition in one: of two partitions the less loaded has the smaller rank, and of two with
     * equal loads the lower. {@link #edgesOf} and {@link #partitionOf} take it apart.
     */
    public long rank(int partition) {
        return tree[partitionCount + partition];
    }

    /**
     * The smallest rank of 64 partitions at most.
     *
     * @param word which 64: bit b of {@code set} stands for partition 64 · word + b
     * @param best a rank found before, {@link Long#MAX_VALUE} for none: the answer if the set has no smaller one
     */
    public long smallestRank(int word, long set, long best) {
        long[] tree = this.tree;
        int first = partitionCount + word * Long.SIZE;
        long smallest = best;
        for (long bits = set; bits != 0; bits &= bits - 1) {
            smallest = Math.min(smallest, tree[first + Long.numberOfTrailingZeros(bits)]);
        }
        return smallest;
    }

    /** The rank of a partition that has so many edges, below 2^51. */
    public static long rankOf(int partition, long edges) {
        return edges << NUMBER_BITS | partition;
    }

    public static long edgesOf(long rank) {
        return rank >> NUMBER_BITS;
    }

    public static int partitionOf(long rank) {
        return (int) rank & NUMBER_MASK;
    }

    /** Vertices that have a replica on the partition. */
    public long vertices(int partition) {
        return vertices[partition];
    }

    public long totalEdges() {
        return totalEdges;
    }

    public long totalReplicas() {
        return totalReplicas;
    }

    /** Distinct vertices that have a replica, that is, at least one placed edge. */
    public long totalVertices() {
        return totalVertices;
    }

    public long maxEdges() {
        return maxEdges;
    }

    /** The most vertices that have a replica on one partition. */
    public long maxVertices() {
        return maxVertices;
    }

    public long minEdges() {
        return tree[1] >> NUMBER_BITS;
    }

    /** The partition with the fewest edges; the lowest-numbered of them. */
    public int leastLoaded() {
        return (int) tree[1] & NUMBER_MASK;
    }

    /**
     * The partition on which edges begin that have nothing in common with others: the least loaded one. If several
     * assigners know the loads of all, so that they would all choose that one, it is the least loaded of the assigner's
     * partitions while that is at most half as far from the least loaded one as the mean is.
     */
    public int emptiest() {
        if (ofAssigner != null) {
            int own = ofAssigner.leastLoaded() * assigners + assigner;
            if (2 * edges(own) <= minEdges() + totalEdges / partitionCount) {
                return own;
            }
        }
        return leastLoaded();
    }

    /** Edges per partition; a copy. */
    public long[] edges() {
        long[] edges = new long[partitionCount];
        Arrays.setAll(edges, this::edges);
        return edges;
    }

    /** Replicas per partition; a copy. */
    public long[] vertices() {
        return vertices.clone();
    }
}
