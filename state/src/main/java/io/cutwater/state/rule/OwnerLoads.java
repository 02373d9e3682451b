package io.cutwater.state.rule;

import io.cutwater.state.PublicApi;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The vertices that each partition owns in a live vertex partitioning, and their volume. {@link PartitionLoads} counts
 * the edges of each shard, and its vertices, owned and halo.
 *
 * <p>Buffered edges are not in the bytes: they are counted again when they are restored.
 *
 * <p>While partitions are closed, a rule reads the numbers of the open ones only.
 *
 * <p>The bytes, big-endian: version = 1 (1 byte), k (4 bytes), edges (8 bytes), then for each partition vertices owned,
 * those of them that have an edge, and volume (8 bytes each). k may be another one than now, if there is nothing on
 * partitions that are gone.
 */
@PublicApi
public final class OwnerLoads {
    /** Every partition has room for this many vertices from the start. */
    public static final int CAPACITY_FLOOR = 64;

    private static final byte VERSION = 1;
    private static final int FIXED_BYTES = 1 + Integer.BYTES + Long.BYTES;

    private final long[] owned;
    private final long[] shown;
    private final long[] volumes;
    private final long[] waiting;
    private long edges;
    private int open;

    // Of the open partitions.
    private long totalOwned;
    private long totalVolume;
    private long totalWaiting;

    /** The least loaded partition; no lower one has as few vertices. Counts mostly grow, so it seldom goes back. */
    private int leastOwned;

    /** @param partitionCount k, 1 to 4096 */
    public OwnerLoads(int partitionCount) {
        owned = new long[partitionCount];
        shown = new long[partitionCount];
        volumes = new long[partitionCount];
        waiting = new long[partitionCount];
        open = partitionCount;
    }

    /** Partitions from {@code open} on are closed from now on, the others open. */
    public void restrictTo(int open) {
        this.open = open;
        totalOwned = 0;
        totalVolume = 0;
        totalWaiting = 0;
        leastOwned = 0;
        for (int p = 0; p < open; p++) {
            totalOwned += owned[p];
            totalVolume += volumes[p];
            totalWaiting += waiting[p];
            leastOwned = owned[p] < owned[leastOwned] ? p : leastOwned;
        }
    }

    /** A vertex gets its owner. */
    public void own(int partition) {
        long before = owned[partition]++;
        totalOwned += ifOpen(partition, 1);
        if (partition != leastOwned) {
            return;
        }
        // Below it all partitions have more already. So each of them is passed once for each count that is the least.
        for (int p = partition + 1; p < open; p++) {
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

    private long ifOpen(int partition, long change) {
        return partition < open ? change : 0;
    }

    /** A vertex loses its owner. */
    public void disown(int partition) {
        owned[partition]--;
        totalOwned -= ifOpen(partition, 1);
        if (partition < open && isLess(partition, leastOwned)) {
            leastOwned = partition;
        }
    }

    /**
     * A vertex gets another owner.
     *
     * @param degree ends of edges at it
     * @param ends those that wait
     */
    public void move(int from, int to, long degree, int ends) {
        disown(from);
        own(to);
        if (degree > 0) {
            hide(from);
            show(to);
        }
        addVolume(from, -degree);
        addVolume(to, degree);
        await(from, -ends);
        await(to, ends);
    }

    private void addVolume(int partition, long ends) {
        volumes[partition] += ends;
        totalVolume += ifOpen(partition, ends);
    }

    /** A vertex, which has its owner still, loses its last edge. */
    public void hide(int owner) {
        shown[owner]--;
    }

    /** A vertex, which has its owner, gets its first edge. */
    public void show(int owner) {
        shown[owner]++;
    }

    /**
     * Ends of edges at a vertex that a partition owns begin to wait for their other ends.
     *
     * @param ends how many; negative for such that wait no longer
     */
    public void await(int owner, int ends) {
        waiting[owner] += ends;
        totalWaiting += ifOpen(owner, ends);
    }

    /** An edge goes to the shards of its ends' owners. */
    public void addEdge(int ownerOfSource, int ownerOfTarget) {
        addVolume(ownerOfSource, 1);
        addVolume(ownerOfTarget, 1);
        edges++;
    }

    /** An edge leaves the shards of its ends' owners. */
    public void removeEdge(int ownerOfSource, int ownerOfTarget) {
        addVolume(ownerOfSource, -1);
        addVolume(ownerOfTarget, -1);
        edges--;
    }

    /** Returns the number of open partitions. */
    public int partitionCount() {
        return open;
    }

    /** Returns the vertices that a partition owns, including those whose edges are all buffered. */
    public long owned(int partition) {
        return owned[partition];
    }

    /** Returns the vertices that open partitions own. */
    public long totalOwned() {
        return totalOwned;
    }

    /** Returns the sum of degrees of the vertices of a partition, without buffered edges. */
    public long volume(int partition) {
        return volumes[partition];
    }

    /** Returns the volume of a partition with its buffered edges. */
    public long comingVolume(int partition) {
        return volumes[partition] + waiting[partition];
    }

    /** Returns the volume of the open partitions with their buffered edges. */
    public long totalComingVolume() {
        return totalVolume + totalWaiting;
    }

    /** Returns half the volume of the open partitions. */
    public double openEdges() {
        return totalVolume / 2.0;
    }

    /** Returns the number of placed edges, each counted once. */
    public long edges() {
        return edges;
    }

    /** Returns the open partition that owns the fewest vertices; the lowest one on ties. */
    public int leastOwned() {
        return leastOwned;
    }

    /**
     * Returns whether a partition comes before another: it owns fewer vertices, or as many and has the lower number.
     */
    public boolean isLess(int one, int other) {
        return owned[one] < owned[other] || owned[one] == owned[other] && one < other;
    }

    /**
     * The number of vertices at which a partition is full while nobody knows how many will come: max(⌈slack · n / k⌉,
     * {@value #CAPACITY_FLOOR}), n being the vertices that have an owner, the next one included. It never falls, and a
     * rule chooses partitions below it only, so none is ever above it. The least loaded partition is always below it.
     * The floor is there because many communities begin in the first edges, and a tight cap tears them apart.
     */
    public double capacity(double slack) {
        return capacity(slack, totalOwned + 1, open);
    }

    /** Returns that number for so many vertices with an owner. */
    public static double capacity(double slack, long vertices, int partitionCount) {
        return Math.max(Math.ceil(slack * vertices / partitionCount), CAPACITY_FLOOR);
    }

    /**
     * Returns the quality, equal to that of a recount of the shards.
     *
     * @param loads edges of the shards, and vertices where they are owned or halo
     * @param deadLetters records of the input that were no edges
     */
    public Quality quality(PartitionLoads loads, long deadLetters) {
        List<PartitionQuality> perPartition = new ArrayList<>(owned.length);
        long vertices = 0;
        for (int p = 0; p < owned.length; p++) {
            vertices += shown[p];
            perPartition.add(
                    new PartitionQuality(p, shown[p], volumes[p], loads.vertices(p) - owned[p], loads.edges(p)));
        }
        return Quality.ofVertices(owned.length, vertices, edges, deadLetters, perPartition);
    }

    public byte[] toBytes() {
        ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + 3 * Long.BYTES * owned.length);
        out.put(VERSION).putInt(owned.length).putLong(edges);
        for (int p = 0; p < owned.length; p++) {
            out.putLong(owned[p]).putLong(shown[p]).putLong(volumes[p]);
        }
        return out.array();
    }

    /**
     * Returns the bytes of loads without edges.
     *
     * @param owned vertices that each partition owns
     * @param shown those of them that have an edge
     */
    public static byte[] vertices(long[] owned, long[] shown) {
        OwnerLoads loads = new OwnerLoads(owned.length);
        System.arraycopy(owned, 0, loads.owned, 0, owned.length);
        System.arraycopy(shown, 0, loads.shown, 0, owned.length);
        return loads.toBytes();
    }

    /** Forgets the vertices, which are to be added again, and keeps the edges. */
    public void forgetVertices() {
        Arrays.fill(owned, 0);
        Arrays.fill(shown, 0);
        restrictTo(open);
    }

    /** Returns whether bytes are as long as those that such an object writes. */
    public boolean hasWritten(byte[] bytes) {
        return bytes.length > FIXED_BYTES
                && bytes.length
                        == FIXED_BYTES
                                + 3L * Long.BYTES * ByteBuffer.wrap(bytes).getInt(1);
    }

    /**
     * Adds loads of one of several assigners; see {@link #restore}. Those of all are 0 together on partitions that are
     * gone.
     */
    public void restorePart(byte[] bytes) {
        restore(bytes, true);
    }

    /**
     * Adds loads; of several assigners each has a part of them.
     *
     * @throws IllegalStateException if the bytes are not of this version, or have something on a partition too many
     */
    public void restore(byte[] bytes) {
        restore(bytes, false);
    }

    private void restore(byte[] bytes, boolean isPart) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int partitions = bytes.length < FIXED_BYTES ? -1 : in.getInt(1);
        if (partitions < 1
                || partitions > VertexLayout.MAX_PARTITIONS
                || bytes.length != FIXED_BYTES + 3 * Long.BYTES * partitions
                || in.get() != VERSION) {
            throw new IllegalStateException("%d bytes of version %d are no loads of partitions in version %d"
                    .formatted(bytes.length, bytes.length == 0 ? 0 : bytes[0], VERSION));
        }
        in.getInt();
        edges += in.getLong();
        for (int p = 0; p < partitions; p++) {
            long ownedHere = in.getLong();
            long shownHere = in.getLong();
            long volume = in.getLong();
            if (p < owned.length) {
                owned[p] += ownedHere;
                shown[p] += shownHere;
                volumes[p] += volume;
            } else if (!isPart && (ownedHere != 0 || volume != 0)) {
                throw new IllegalStateException("partition %d is gone, and it owned %d vertices with %d ends of edges"
                        .formatted(p, ownedHere, volume));
            }
        }
        restrictTo(open);
    }
}
