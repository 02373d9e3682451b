package io.cutwater.kafka.record;

import java.util.Arrays;

/**
 * What the partition book says of one vertex.
 *
 * @param owner the partition of its master, or that which owns it, from 0
 * @param replicas all partitions that hold it, ascending
 * @param cluster from 0, or -1 for none
 * @param degree edges seen at it
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content below; a list would box every partition
public record PartitionBookEntry(long vertex, int owner, int[] replicas, long cluster, long degree) {
    public static final long NO_CLUSTER = -1;

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
