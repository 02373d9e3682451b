package io.cutwater.state.vertex;

import io.cutwater.state.quality.VertexQuality;
import io.cutwater.state.quality.VertexQuality.PartitionQuality;
import io.cutwater.state.table.PartitionLoads;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What the vertices of each partition add up to while edges stream by, beside {@link PartitionLoads}: that counts the
 * edges of each shard, and each vertex where it is owned and where it is halo.
 *
 * <p>What waits is not in the bytes: it is counted again when the edges that wait come back.
 *
 * <p>The bytes, big-endian: version = 1 (1 byte), k (4 bytes), edges (8 bytes), then for each partition vertices owned,
 * those of them that have an edge, and volume (8 bytes each).
 */
public final class OwnerLoads {
    private static final byte VERSION = 1;
    private static final int FIXED_BYTES = 1 + Integer.BYTES + Long.BYTES;

    private final long[] owned;
    private final long[] shown;
    private final long[] volumes;
    private final long[] waiting;
    private long totalOwned;
    private long totalWaiting;
    private long edges;

    /** The least loaded partition; no lower one has as few vertices. Counts only grow, so it seldom goes back. */
    private int leastOwned;

    /** @param partitionCount k, 1 to 4096 */
    public OwnerLoads(int partitionCount) {
        owned = new long[partitionCount];
        shown = new long[partitionCount];
        volumes = new long[partitionCount];
        waiting = new long[partitionCount];
    }

    /** A vertex gets its owner. */
    void own(int partition) {
        long before = owned[partition]++;
        totalOwned++;
        if (partition != leastOwned) {
            return;
        }
        // Below it all partitions have more already. So each of them is passed once for each count that is the least.
        for (int p = partition + 1; p < owned.length; p++) {
            if (owned[p] == before) {
                leastOwned = p;
                return;
            }
        }
        leastOwned = 0;
        while (owned[leastOwned] != before + 1) {
            leastOwned++;
        }
    }

    /** A vertex, which has its owner, gets its first edge. */
    void show(int owner) {
        shown[owner]++;
    }

    /**
     * Ends of edges at a vertex that a partition owns begin to wait for their other ends.
     *
     * @param ends how many; negative for such that wait no longer
     */
    void await(int owner, int ends) {
        waiting[owner] += ends;
        totalWaiting += ends;
    }

    /** An edge goes to the shards of its ends' owners. */
    void addEdge(int ownerOfSource, int ownerOfTarget) {
        volumes[ownerOfSource]++;
        volumes[ownerOfTarget]++;
        edges++;
    }

    public int partitionCount() {
        return owned.length;
    }

    /** Vertices that a partition owns, also those whose first edge still waits for its other end. */
    public long owned(int partition) {
        return owned[partition];
    }

    /** Vertices that have an owner. */
    public long totalOwned() {
        return totalOwned;
    }

    /** Ends of edges at the vertices of a partition; edges that wait do not count. */
    public long volume(int partition) {
        return volumes[partition];
    }

    /** Likewise, with the edges that wait: what the volume is known to become. */
    long comingVolume(int partition) {
        return volumes[partition] + waiting[partition];
    }

    /** Of all partitions. */
    long totalComingVolume() {
        return 2 * edges + totalWaiting;
    }

    /** Edges that are placed, each once however many shards have it. */
    public long edges() {
        return edges;
    }

    /** The partition that owns the fewest vertices; the lowest-numbered of them. */
    public int leastOwned() {
        return leastOwned;
    }

    /**
     * How the partitioning stands: just what a count of the shards finds.
     *
     * @param loads edges of the shards, and vertices where they are owned or halo
     * @param deadLetters records of the input that were no edges
     */
    public VertexQuality quality(PartitionLoads loads, long deadLetters) {
        List<PartitionQuality> perPartition = new ArrayList<>(owned.length);
        long vertices = 0;
        for (int p = 0; p < owned.length; p++) {
            vertices += shown[p];
            perPartition.add(
                    new PartitionQuality(p, shown[p], volumes[p], loads.vertices(p) - owned[p], loads.edges(p)));
        }
        return new VertexQuality(owned.length, vertices, edges, deadLetters, perPartition);
    }

    byte[] toBytes() {
        ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + 3 * Long.BYTES * owned.length);
        out.put(VERSION).putInt(owned.length).putLong(edges);
        for (int p = 0; p < owned.length; p++) {
            out.putLong(owned[p]).putLong(shown[p]).putLong(volumes[p]);
        }
        return out.array();
    }

    /** @throws IllegalStateException if the bytes are not of this version and number of partitions */
    void restore(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length != FIXED_BYTES + 3 * Long.BYTES * owned.length
                || in.get() != VERSION
                || in.getInt() != owned.length) {
            throw new IllegalStateException("%d bytes of version %d are no loads of %d partitions in version %d"
                    .formatted(bytes.length, bytes.length == 0 ? 0 : bytes[0], owned.length, VERSION));
        }
        edges = in.getLong();
        totalOwned = 0;
        leastOwned = 0;
        for (int p = 0; p < owned.length; p++) {
            owned[p] = in.getLong();
            shown[p] = in.getLong();
            volumes[p] = in.getLong();
            totalOwned += owned[p];
            leastOwned = owned[p] < owned[leastOwned] ? p : leastOwned;
        }
    }
}
