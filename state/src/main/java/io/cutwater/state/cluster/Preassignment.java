package io.cutwater.state.cluster;

import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The passes before the placing one that {@code 2ps-l} and {@code sigma-edge} share: degrees, clusters, and the
 * pre-assignment of the edges whose ends' clusters are settled on the same partition.
 *
 * <p>A pre-assigned edge is placed when the placing pass meets it, but its replicas and its place in the load count
 * from the pre-assignment on, so that every other edge knows of them: {@link #planned} has the loads with all of them.
 * Of the edges that are a partition's own, the first ones up to the cap are pre-assigned; that is all that must be
 * remembered, provided that each pass reads the edges in the same order.
 */
public final class Preassignment {
    public static final int NONE = -1;
    /** Passes that {@link #observe} knows. */
    public static final int PASSES = 3;

    private static final byte VERSION = 1;
    private static final int DEGREES = 0;
    private static final int CLUSTERS = 1;

    private final int partitionCount;
    private final EdgeStreamClustering clusters = new EdgeStreamClustering();
    private final long[] preassigned;
    private final long[] met;
    private PartitionLoads planned;
    private long edges;
    private boolean isSettled;

    public Preassignment(int partitionCount) {
        this.partitionCount = partitionCount;
        preassigned = new long[partitionCount];
        met = new long[partitionCount];
        planned = new PartitionLoads(partitionCount);
    }

    /** @param cap edges that may be pre-assigned to a partition; asked for once the edges are counted */
    public void observe(int pass, VertexColumns vertices, int source, int target, PartitionLoads loads, long cap) {
        if (pass == DEGREES) {
            vertices.countFinalEdge(source);
            vertices.countFinalEdge(target);
            edges++;
        } else if (pass == CLUSTERS) {
            clusters.observeKnown(vertices, source, target, 2.0 * edges / partitionCount);
        } else {
            preassign(vertices, source, target, loads, cap);
        }
    }

    private void preassign(VertexColumns vertices, int source, int target, PartitionLoads loads, long cap) {
        if (!isSettled) {
            int[] plan = LargestFirst.plan(clusters.volumes(), partitionCount);
            for (int cluster = 0; cluster < plan.length; cluster++) {
                clusters.settle(cluster, plan[cluster]);
            }
            isSettled = true;
        }
        int partition = partitionOf(vertices, source);
        if (partition == partitionOf(vertices, target) && preassigned[partition] < cap) {
            preassigned[partition]++;
            planned.addEdge(partition);
            vertices.addReplica(source, partition, loads);
            vertices.addReplica(target, partition, loads);
        }
    }

    /** In the placing pass: the partition that the next edge is pre-assigned to, or {@link #NONE}. */
    public int meet(VertexColumns vertices, int source, int target) {
        if (!isSettled) {
            return NONE;
        }
        int partition = partitionOf(vertices, source);
        if (partition != partitionOf(vertices, target) || met[partition] == preassigned[partition]) {
            return NONE;
        }
        met[partition]++;
        return partition;
    }

    /** The partition that the vertex's cluster is settled on. */
    public int partitionOf(VertexColumns vertices, int slot) {
        return clusters.partition(vertices.cluster(slot));
    }

    public long volumeOf(VertexColumns vertices, int slot) {
        return clusters.volume(vertices.cluster(slot));
    }

    /** Edges per partition, those included that are pre-assigned and not placed yet. Replicas are not counted here. */
    public PartitionLoads planned() {
        return planned;
    }

    /** Edges of the whole input. */
    public long edges() {
        return edges;
    }

    /** The most edges that are pre-assigned to one partition. */
    public long maxPreassigned() {
        long max = 0;
        for (long count : preassigned) {
            max = Math.max(max, count);
        }
        return max;
    }

    /**
     * Big-endian: version = 1 (1 byte), k (4 bytes), edges of the input (8 bytes), whether clusters are settled (1
     * byte), and of each partition the pre-assigned edges, those of them that were placed, and the planned edges (8
     * bytes each); then the pieces of the clusters.
     */
    public List<byte[]> snapshot() {
        ByteBuffer counts = ByteBuffer.allocate(2 + Integer.BYTES + Long.BYTES + 3 * Long.BYTES * partitionCount);
        counts.put(VERSION).putInt(partitionCount).putLong(edges).put((byte) (isSettled ? 1 : 0));
        for (int p = 0; p < partitionCount; p++) {
            counts.putLong(preassigned[p]).putLong(met[p]).putLong(planned.edges(p));
        }
        List<byte[]> pieces = new ArrayList<>();
        pieces.add(counts.array());
        pieces.addAll(clusters.snapshot());
        return pieces;
    }

    /** @throws IllegalStateException if the bytes are of another version or another number of partitions */
    public void restore(List<byte[]> pieces) {
        if (pieces.isEmpty()) {
            return; // the job has not made a checkpoint yet
        }
        ByteBuffer counts = ByteBuffer.wrap(pieces.get(0));
        byte version = counts.get();
        int partitions = counts.getInt();
        if (version != VERSION || partitions != partitionCount) {
            throw new IllegalStateException("a pre-assignment of version %d to %d partitions; this is version %d and %d"
                    .formatted(version, partitions, VERSION, partitionCount));
        }
        edges = counts.getLong();
        isSettled = counts.get() == 1;
        long[] plannedEdges = new long[partitionCount];
        for (int p = 0; p < partitionCount; p++) {
            preassigned[p] = counts.getLong();
            met[p] = counts.getLong();
            plannedEdges[p] = counts.getLong();
        }
        planned = new PartitionLoads(plannedEdges, new long[partitionCount], 0);
        clusters.restore(pieces.subList(1, pieces.size()));
    }
}
