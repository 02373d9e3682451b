package io.cutwater.state.table;

/**
 * Which columns a vertex has and where they stand in its record of {@code stride()} longs. A record holds only what its
 * algorithm asks for.
 *
 * <pre>
 *   1 long         vertex id
 *   1 long         header: degree (44 bits), master + 1 (13 bits), bookkeeping of the table (6 bits)
 *   0 or 1 long    final degree, when the algorithm knows it from an earlier pass
 *   0 or 2 longs   home and the counters of its neighbours' homes, see {@link NeighbourHomes}
 *   0 or 1 long    cluster + 1, 0 for none
 *   ⌈k / 64⌉ longs replica set, one bit per partition, 64 a word
 * </pre>
 *
 * @param partitionCount k, 1 to 4096
 * @param hasFinalDegrees whether records hold the degree that an earlier pass counted
 * @param hasHomes whether records hold a home and the counters of the neighbours' homes
 * @param hasClusters whether records hold a cluster
 */
public record VertexLayout(int partitionCount, boolean hasFinalDegrees, boolean hasHomes, boolean hasClusters) {
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

    /** Without homes and clusters. */
    public VertexLayout(int partitionCount, boolean hasFinalDegrees) {
        this(partitionCount, hasFinalDegrees, false, false);
    }

    /** This layout with homes. */
    public VertexLayout withHomes() {
        return new VertexLayout(partitionCount, hasFinalDegrees, true, hasClusters);
    }

    /** This layout with clusters. */
    public VertexLayout withClusters() {
        return new VertexLayout(partitionCount, hasFinalDegrees, hasHomes, true);
    }

    /** Words of the replica set. */
    public int replicaWords() {
        return (partitionCount + Long.SIZE - 1) / Long.SIZE;
    }

    /** The weights of the counters; their partitions and the home follow. Only in a layout that has homes. */
    int homes() {
        return FINAL_DEGREE + (hasFinalDegrees ? 1 : 0);
    }

    int cluster() {
        return homes() + (hasHomes ? 2 : 0);
    }

    int replicas() {
        return cluster() + (hasClusters ? 1 : 0);
    }

    /** Longs per vertex. */
    public int stride() {
        return replicas() + replicaWords();
    }
}
