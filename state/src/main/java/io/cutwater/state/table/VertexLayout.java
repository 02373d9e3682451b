package io.cutwater.state.table;

import io.cutwater.state.PublicApi;

/**
 * Which columns a vertex has and where they stand in its record of {@code stride()} longs. A record holds only what its
 * algorithm asks for.
 *
 * <pre>
 *   1 long         vertex id
 *   1 long         header: degree (43 bits), master + 1 (13 bits), bookkeeping of the table (8 bits)
 *   0 or 1 long    final degree, when the algorithm knows it from an earlier pass
 *   0 or 2 longs   home and the counters of its neighbours' homes, see {@link NeighbourHomes}
 *   0 or 1 long    cluster, and what is known of it, see {@link ClusterLabel}
 *   ⌈k / 64⌉ longs replica set, one bit per partition, 64 a word
 *   0 or ⌈k / 2⌉   edges of the vertex by partition, 32 bits each, two a long
 * </pre>
 *
 * @param partitionCount k, 1 to 4096
 * @param hasFinalDegrees whether records hold the degree that an earlier pass counted
 * @param hasHomes whether records hold a home and the counters of the neighbours' homes
 * @param hasClusters whether records hold a cluster
 * @param hasCounts whether records hold the edges of the vertex by partition, which removing and moving edges needs
 */
@PublicApi
public record VertexLayout(
        int partitionCount, boolean hasFinalDegrees, boolean hasHomes, boolean hasClusters, boolean hasCounts) {
    public static final int MAX_PARTITIONS = 4096;

    static final int ID = 0;
    static final int HEADER = 1;
    static final int FINAL_DEGREE = 2;

    public VertexLayout {
        if (partitionCount < 1 || partitionCount > MAX_PARTITIONS) {
            throw new IllegalArgumentException(
                    "partitionCount must be in [1, %d]: %d".formatted(MAX_PARTITIONS, partitionCount));
        }
    }

    /** Creates a layout without homes, clusters and counts. */
    public VertexLayout(int partitionCount, boolean hasFinalDegrees) {
        this(partitionCount, hasFinalDegrees, false, false, false);
    }

    /** Returns this layout with homes. */
    public VertexLayout withHomes() {
        return new VertexLayout(partitionCount, hasFinalDegrees, true, hasClusters, hasCounts);
    }

    /** Returns this layout with clusters. */
    public VertexLayout withClusters() {
        return new VertexLayout(partitionCount, hasFinalDegrees, hasHomes, true, hasCounts);
    }

    /** Returns this layout with the edges of a vertex by partition. */
    public VertexLayout withCounts() {
        return new VertexLayout(partitionCount, hasFinalDegrees, hasHomes, hasClusters, true);
    }

    /** Returns this layout for another number of partitions. */
    public VertexLayout withPartitions(int partitions) {
        return new VertexLayout(partitions, hasFinalDegrees, hasHomes, hasClusters, hasCounts);
    }

    /**
     * Copies a record into one of a layout for another number of partitions. On partitions that the other one lacks the
     * vertex has nothing.
     */
    void copyTo(VertexLayout other, long[] from, int at, long[] into, int base) {
        System.arraycopy(from, at, into, base, replicas());
        int words = Math.min(replicaWords(), other.replicaWords());
        System.arraycopy(from, at + replicas(), into, base + replicas(), words);
        int pairs = hasCounts ? (Math.min(partitionCount, other.partitionCount) + 1) / 2 : 0;
        System.arraycopy(from, at + counts(), into, base + other.counts(), pairs);
    }

    /** Returns the layout for an even number of partitions that differs in this number only and has this stride. */
    VertexLayout withStride(int stride) {
        int ofPartitions = stride - replicas();
        // ⌈k / 64⌉ and ⌈k / 2⌉ longs: 33 for each 64 partitions
        int words = hasCounts ? (ofPartitions + 32) / 33 : ofPartitions;
        return withPartitions(hasCounts ? 2 * (ofPartitions - words) : words * Long.SIZE);
    }

    /** Words of the replica set. */
    public int replicaWords() {
        return (partitionCount + Long.SIZE - 1) / Long.SIZE;
    }

    /** The weights of the counters; their partitions and the home follow. Only in a layout that has homes. */
    int homes() {
        return FINAL_DEGREE + (hasFinalDegrees ? 1 : 0);
    }

    /** Returns the number of words that a rule may change at any time: home, counters and cluster. */
    public int hintWords() {
        return replicas() - homes();
    }

    int cluster() {
        return homes() + (hasHomes ? 2 : 0);
    }

    int replicas() {
        return cluster() + (hasClusters ? 1 : 0);
    }

    int counts() {
        return replicas() + replicaWords();
    }

    /** Longs per vertex. */
    public int stride() {
        return counts() + (hasCounts ? (partitionCount + 1) / 2 : 0);
    }

    /** The edges of a vertex on a partition, in the record that begins at {@code base}; 0 to 2³² − 1. */
    long count(long[] records, int base, int partition) {
        return records[base + counts() + (partition >>> 1)] >>> ((partition & 1) << 5) & 0xFFFF_FFFFL;
    }

    void setCount(long[] records, int base, int partition, long count) {
        int at = base + counts() + (partition >>> 1);
        int shift = (partition & 1) << 5;
        records[at] = records[at] & ~(0xFFFF_FFFFL << shift) | count << shift;
    }
}
