package io.cutwater.state.cluster;

import io.cutwater.state.table.VertexColumns;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Clusters from a stream of edges, in constant time for each (Hollocou et al.: A streaming algorithm for graph
 * clustering, 2017; with the volume bound of Mayer, Orujzade, Jacobsen: Out-of-core edge partitioning at linear
 * run-time, ICDE 2022, algorithm 1). A vertex that has none opens a cluster of its own. The volume of a cluster is the
 * sum of its members' degrees. If an edge joins two clusters and neither volume is above the bound, the end whose
 * cluster is smaller without it (the source on ties) moves to the other's cluster, if that stays within the bound.
 *
 * <p>A vertex's cluster is a column of the {@link VertexColumns}; this class holds the volume of each cluster, and the
 * partition that a caller has assigned to it. The number of a cluster without members is reused for the next new
 * cluster, so numbers never exceed the most clusters at any time.
 */
public final class EdgeStreamClustering {
    /** A cluster that is not settled yet. */
    public static final int NOWHERE = -1;

    private static final byte VERSION = 1;
    private static final int FIRST_CAPACITY = 16;
    private static final int PER_PIECE = 64 * 1024;
    private static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;
    private static final int HEADER_BYTES = 1 + 2 * Integer.BYTES;

    private long[] volumes = new long[FIRST_CAPACITY];
    private int[] partitions = new int[FIRST_CAPACITY];
    private int count;
    private int[] free = new int[FIRST_CAPACITY];
    private int freeCount;

    /** Observes an edge of an input whose final degrees are known. */
    void observeKnown(VertexColumns vertices, int source, int target, double maxVolume) {
        if (vertices.cluster(source) == VertexColumns.NO_CLUSTER) {
            vertices.setCluster(source, open(vertices.finalDegree(source)));
        }
        if (vertices.cluster(target) == VertexColumns.NO_CLUSTER) {
            vertices.setCluster(target, open(vertices.finalDegree(target)));
        }
        join(vertices, source, target, vertices.finalDegree(source), vertices.finalDegree(target), maxVolume);
    }

    /** Observes an edge of a live stream, after both degrees have counted it. */
    public void observeLive(VertexColumns vertices, int source, int target, double maxVolume) {
        int ends = source == target ? 2 : 1;
        if (vertices.cluster(source) == VertexColumns.NO_CLUSTER) {
            vertices.setCluster(source, open(vertices.degree(source) - ends));
        }
        if (vertices.cluster(target) == VertexColumns.NO_CLUSTER) {
            vertices.setCluster(target, open(vertices.degree(target) - ends));
        }
        volumes[vertices.cluster(source)]++;
        volumes[vertices.cluster(target)]++;
        join(vertices, source, target, vertices.degree(source), vertices.degree(target), maxVolume);
    }

    /**
     * Counts one end of an added or removed edge that is not passed to {@link #observeLive}; of no effect for a vertex
     * without a cluster. The vertex's degree has changed before.
     *
     * @param change 1 or −1
     */
    public void count(VertexColumns vertices, int slot, int change) {
        int cluster = vertices.cluster(slot);
        if (cluster != VertexColumns.NO_CLUSTER) {
            volumes[cluster] += change;
            if (volumes[cluster] == 0) { // no member has an edge, so all of them are gone
                free(cluster);
            }
        }
    }

    private void free(int cluster) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, 2 * freeCount);
        }
        free[freeCount++] = cluster;
    }

    private int open(long volume) {
        int cluster = freeCount > 0 ? free[--freeCount] : count++;
        if (cluster == volumes.length) {
            int capacity = cluster + (cluster >> 1);
            volumes = Arrays.copyOf(volumes, capacity);
            partitions = Arrays.copyOf(partitions, capacity);
        }
        volumes[cluster] = volume;
        partitions[cluster] = NOWHERE;
        return cluster;
    }

    private void join(
            VertexColumns vertices, int source, int target, long sourceDegree, long targetDegree, double maxVolume) {
        int ofSource = vertices.cluster(source);
        int ofTarget = vertices.cluster(target);
        if (ofSource == ofTarget || volumes[ofSource] > maxVolume || volumes[ofTarget] > maxVolume) {
            return;
        }
        if (volumes[ofSource] - sourceDegree <= volumes[ofTarget] - targetDegree) {
            move(vertices, source, sourceDegree, ofTarget, maxVolume);
        } else {
            move(vertices, target, targetDegree, ofSource, maxVolume);
        }
    }

    private void move(VertexColumns vertices, int slot, long degree, int to, double maxVolume) {
        if (volumes[to] + degree > maxVolume) {
            return;
        }
        int from = vertices.cluster(slot);
        volumes[to] += degree;
        volumes[from] -= degree;
        vertices.setCluster(slot, to);
        if (volumes[from] == 0) {
            free(from);
        }
    }

    /** Returns one more than the largest number of a cluster so far; some in between may be free, with volume 0. */
    int count() {
        return count;
    }

    /** The sum of the degrees of the cluster's members. */
    long volume(int cluster) {
        return volumes[cluster];
    }

    /** The volume of every cluster up to {@link #count}; a copy. */
    public long[] volumes() {
        return Arrays.copyOf(volumes, count);
    }

    /** Returns the partition of the cluster, or {@link #NOWHERE}. */
    public int partition(int cluster) {
        return partitions[cluster];
    }

    public void settle(int cluster, int partition) {
        partitions[cluster] = partition;
    }

    /**
     * The clusters as bytes, big-endian: version = 1 (1 byte), kind: clusters (4 bytes, 0), entries (4 bytes), then
     * volume (8 bytes) and partition (4 bytes) of each; and, in pieces of kind 1, the free numbers (4 bytes each).
     */
    public List<byte[]> snapshot() {
        List<byte[]> pieces = new ArrayList<>();
        for (int from = 0; from < count; from += PER_PIECE) {
            int to = Math.min(count, from + PER_PIECE);
            ByteBuffer piece = ByteBuffer.allocate(HEADER_BYTES + ENTRY_BYTES * (to - from));
            piece.put(VERSION).putInt(0).putInt(to - from);
            for (int cluster = from; cluster < to; cluster++) {
                piece.putLong(volumes[cluster]).putInt(partitions[cluster]);
            }
            pieces.add(piece.array());
        }
        for (int from = 0; from < freeCount; from += PER_PIECE) {
            int to = Math.min(freeCount, from + PER_PIECE);
            ByteBuffer piece = ByteBuffer.allocate(HEADER_BYTES + Integer.BYTES * (to - from));
            piece.put(VERSION).putInt(1).putInt(to - from);
            for (int i = from; i < to; i++) {
                piece.putInt(free[i]);
            }
            pieces.add(piece.array());
        }
        return pieces;
    }

    /**
     * Restores what {@link #snapshot} returned, in that order.
     *
     * @throws IllegalStateException if the bytes are of another version
     */
    public void restore(List<byte[]> pieces) {
        for (byte[] bytes : pieces) {
            ByteBuffer piece = ByteBuffer.wrap(bytes);
            byte version = piece.get();
            if (version != VERSION) {
                throw new IllegalStateException(
                        "clusters of version %d; this build reads %d".formatted(version, VERSION));
            }
            boolean isFree = piece.getInt() == 1;
            int entries = piece.getInt();
            if (isFree) {
                free = Arrays.copyOf(free, Math.max(FIRST_CAPACITY, freeCount + entries));
                for (int i = 0; i < entries; i++) {
                    free[freeCount++] = piece.getInt();
                }
            } else {
                int capacity = Math.max(FIRST_CAPACITY, count + entries);
                volumes = Arrays.copyOf(volumes, capacity);
                partitions = Arrays.copyOf(partitions, capacity);
                for (int i = 0; i < entries; i++) {
                    volumes[count] = piece.getLong();
                    partitions[count++] = piece.getInt();
                }
            }
        }
    }
}
