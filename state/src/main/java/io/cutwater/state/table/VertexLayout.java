package io.cutwater.state.table;

/**
 * Which columns a vertex has and where they stand in its record of {@code stride()} longs.
 *
 * <pre>
 *   0              vertex id
 *   1              header: degree (44 bits), master + 1 (13 bits), bookkeeping of the table (6 bits)
 *   2              final degree, when the algorithm knows it from an earlier pass
 *   2 or 3 …       replica set, one bit per partition, 64 a word
 * </pre>
 *
 * @param partitionCount k, 1 to 4096
 * @param hasFinalDegrees whether records hold the degree that an earlier pass counted
 */
public record VertexLayout(int partitionCount, boolean hasFinalDegrees) {
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

    /** Words of the replica set. */
    public int replicaWords() {
        return (partitionCount + Long.SIZE - 1) / Long.SIZE;
    }

    int replicas() {
        return hasFinalDegrees ? FINAL_DEGREE + 1 : FINAL_DEGREE;
    }

    /** Longs per vertex. */
    public int stride() {
        return replicas() + replicaWords();
    }
}
