package io.cutwater.kafka.book;

import java.util.Arrays;

/**
 * An entry of the partition book: the place of one vertex.
 *
 * @param owner the partition of its master or, in a vertex partitioning, its owner, from 0; {@link #NO_OWNER} if it has
 *     no place yet
 * @param replicas all partitions that hold it, ascending; empty if it has no place yet
 * @param cluster from 0, or -1 for none
 * @param degree its edges in the shards at the same commit, self-loops twice
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content below; a list would box every partition
public record PartitionBookEntry(long vertex, int owner, int[] replicas, long cluster, long degree) {
    public static final long NO_CLUSTER = -1;
    public static final int NO_OWNER = -1;

    @Override
    public boolean equals(Object other) {
        return other instanceof PartitionBookEntry that
                && vertex == that.vertex
                && owner == that.owner
                && Arrays.equals(replicas, that.replicas)
                && cluster == that.cluster
                && degree == that.degree;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(vertex);
    }

    @Override
    public String toString() {
        return "vertex %d: owner %d, replicas %s, cluster %d, degree %d"
                .formatted(vertex, owner, Arrays.toString(replicas), cluster, degree);
    }
}
