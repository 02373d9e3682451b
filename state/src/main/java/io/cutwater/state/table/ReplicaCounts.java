package io.cutwater.state.table;

import java.util.Arrays;

/** Vertices that have a replica, and replicas by partition: of all vertices, or of a bucket of them. */
public final class ReplicaCounts {
    private final long[] replicas;
    private long vertices;

    public ReplicaCounts(int partitionCount) {
        this(new long[partitionCount], 0);
    }

    /** @param replicas per partition; taken over */
    public ReplicaCounts(long[] replicas, long vertices) {
        this.replicas = replicas;
        this.vertices = vertices;
    }

    /** Returns these counts with more partitions, which have nothing. */
    public ReplicaCounts widened(int partitionCount) {
        return new ReplicaCounts(Arrays.copyOf(replicas, partitionCount), vertices);
    }

    /** @param isFirst whether the vertex had no replica anywhere before */
    public void add(int partition, boolean isFirst) {
        replicas[partition]++;
        if (isFirst) {
            vertices++;
        }
    }

    void remove(int partition) {
        replicas[partition]--;
    }

    /** @param change negative for vertices that have no replica any more */
    void addVertices(int change) {
        vertices += change;
    }

    public void addAll(ReplicaCounts other) {
        for (int p = 0; p < replicas.length; p++) {
            replicas[p] += other.replicas[p];
        }
        vertices += other.vertices;
    }

    public long replicas(int partition) {
        return replicas[partition];
    }

    public int partitionCount() {
        return replicas.length;
    }

    /** Distinct vertices that have a replica. */
    public long vertices() {
        return vertices;
    }
}
