package io.cutwater.state.table;

import io.cutwater.state.graph.VertexBatch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Vertices by id: degree, master and replica set of each, in one array of longs. It is a write-back cache of bounded
 * size in front of a {@link VertexStore}; over {@link VertexStore#NONE} it keeps every vertex and grows.
 *
 * <p>A vertex is reached through its <em>slot</em>. A slot holds until the next call of {@link #slot(long, int)} that
 * does not pin it: that call may evict the vertex.
 *
 * <p>Implementation. {@code records} holds {@code stride} longs per slot (see {@link VertexLayout}), so that the id,
 * which a probe compares, and the columns, which the partitioner reads, share a cache line. Eviction is a CLOCK with
 * lives (generalised CLOCK, Smith 1978): the hand takes a life from each vertex that it passes and evicts those that
 * have none. A change of a vertex renews its lives, and a vertex of high degree has more, up to 7: on power-law graphs
 * that saves an eighth of the misses against one bit. Many are evicted at a time so that the store sees few, large
 * writes. A vertex that is not in the table is asked of the store only if the store can know it, that is if fewer
 * vertices are here than were ever created.
 */
public final class VertexTable {
    public static final int NO_SLOT = -1;
    public static final int NO_MASTER = -1;
    public static final int NO_HOME = -1;
    public static final int NO_CLUSTER = -1;

    /** Edges whose ends {@link #warm} takes at once: few enough that the first are still there when the last is. */
    public static final int WARM_EDGES = 64;

    /** A megabyte: less than that is in the caches anyway. */
    private static final int WARM_LONGS = 1 << 17;

    private static final int MIN_SLOTS = 16;
    private static final int WRITE_BATCH = 16 * 1024;

    private final VertexLayout layout;
    private final VertexStore store;
    private final VertexCodec codec;
    private final int stride;
    private final int homesAt;
    private final int clusterAt;
    private final int replicasAt;
    private final int replicaWords;
    private final int maxSlots;
    private final VertexListener listener;

    private long[] records;
    private final SlotIndex index;
    private int usedSlots;
    private int[] freeSlots = new int[0];
    private int freeCount;
    private int clockHand;
    private int writeHand;
    private int dirtyCount;
    private long vertexCount;
    private final int[] warmed = new int[2 * WARM_EDGES];

    @SuppressWarnings("unused") // by us, on purpose: see warm
    private long warmth;

    private long hits;
    private long misses;
    private long storedVertices;
    private long storedBytes;

    private final ReadAhead readAhead = new ReadAhead();
    private final long[] writeIds;
    private final byte[][] writeValues;

    /** A table that keeps every vertex. */
    public VertexTable(VertexLayout layout) {
        this(layout, VertexStore.NONE, Long.MAX_VALUE, 0, VertexListener.NONE);
    }

    /**
     * @param maxBytes bound of the table's memory; while it grows towards it, half as much again is in use for a moment
     * @param vertexCount vertices that the store holds already
     * @param listener is told of a vertex whose replicas changed before its bytes go to the store
     */
    public VertexTable(
            VertexLayout layout, VertexStore store, long maxBytes, long vertexCount, VertexListener listener) {
        this.layout = layout;
        this.store = store;
        this.listener = listener;
        this.vertexCount = vertexCount;
        codec = new VertexCodec(layout);
        stride = layout.stride();
        homesAt = layout.homes();
        clusterAt = layout.cluster();
        replicasAt = layout.replicas();
        replicaWords = layout.replicaWords();
        maxSlots = slotsWithin(maxBytes, stride);
        writeIds = new long[Math.min(WRITE_BATCH, maxSlots)];
        writeValues = new byte[writeIds.length][];
        records = new long[MIN_SLOTS * stride];
        index = new SlotIndex(stride, MIN_SLOTS);
    }

    private static int slotsWithin(long maxBytes, int stride) {
        long bytesPerSlot = (long) stride * Long.BYTES + 4 * Integer.BYTES;
        long addressable = (Integer.MAX_VALUE - 8) / stride;
        return (int) Math.max(MIN_SLOTS, Math.min(Math.min(maxBytes / bytesPerSlot, addressable), 1 << 29));
    }

    /** The slot of a vertex, created with degree 0 and no replica if it is new. May evict any other vertex. */
    public int slot(long vertex) {
        return slot(vertex, NO_SLOT);
    }

    /** As {@link #slot(long)}, but leaves the vertex in slot {@code pinned} where it is. */
    public int slot(long vertex, int pinned) {
        int slot = index.find(vertex, records);
        if (slot != NO_SLOT) {
            hits++;
            return slot;
        }
        return load(vertex, pinned);
    }

    /**
     * Announces edges whose ends are asked for next. What the table lacks of them it reads from the store in one go; it
     * changes nothing but the time that {@link #slot} takes.
     *
     * @param sources, targets ends of edges, the first {@code count} entries
     */
    public void expect(long[] sources, long[] targets, int count) {
        if (size() >= vertexCount) {
            return; // nothing is in the store alone
        }
        readAhead.clear(2 * count);
        for (int i = 0; i < count; i++) {
            expect(sources[i]);
            expect(targets[i]);
        }
        readAhead.read(store);
    }

    /**
     * As {@link #expect(long[], long[], int)}, for vertices of no particular edges.
     *
     * @param expected ids, the first {@code count} entries
     */
    public void expect(long[] expected, int count) {
        if (size() >= vertexCount) {
            return; // nothing is in the store alone
        }
        readAhead.clear(count);
        for (int i = 0; i < count; i++) {
            expect(expected[i]);
        }
        readAhead.read(store);
    }

    private void expect(long vertex) {
        if (index.find(vertex, records) == NO_SLOT) {
            readAhead.add(vertex);
        }
    }

    /**
     * Brings the records of the ends of a few edges, at most {@value #WARM_EDGES}, from memory into the processor's
     * caches; changes nothing but the time that {@link #slot} takes. One look-up after the other waits for memory each
     * time; here none depends on another, so that the processor waits for many at once. On tables beyond its caches the
     * whole loop of {@code hdrf} takes about half the time (R-MAT, 16 million edges).
     *
     * @param sources, targets ends of edges, of which those from {@code from} to before {@code to} are meant
     */
    public void warm(long[] sources, long[] targets, int from, int to) {
        if (records.length < WARM_LONGS) {
            return;
        }
        int count = to - from;
        index.firstEntries(sources, from, to, warmed, 0);
        index.firstEntries(targets, from, to, warmed, count);
        long sum = 0;
        for (int i = 0; i < 2 * count; i++) {
            if (warmed[i] != 0) {
                int base = (warmed[i] - 1) * stride;
                sum += records[base] + records[base + stride - 1];
            }
        }
        // Else the compiler would see that nobody needs what was read, and leave it out.
        warmth = sum;
    }

    private int load(long vertex, int pinned) {
        int slot = takeSlot(pinned);
        int base = slot * stride;
        Arrays.fill(records, base, base + stride, 0);
        records[base] = vertex;
        misses++;
        byte[] stored = stored(vertex);
        if (stored != null) {
            codec.decode(stored, records, base);
        } else {
            // Dirty from the start: a vertex that is evicted before its first edge would be created, and counted,
            // twice.
            records[base + VertexLayout.HEADER] = VertexHeader.DIRTY;
            dirtyCount++;
            vertexCount++;
        }
        index.insert(vertex, slot);
        return slot;
    }

    private byte @Nullable [] stored(long vertex) {
        if (readAhead.has(vertex)) {
            return readAhead.take(vertex);
        }
        return size() <= vertexCount ? store.read(vertex) : null;
    }

    private int takeSlot(int pinned) {
        if (freeCount == 0 && usedSlots == maxSlots) {
            evict(pinned);
        }
        if (freeCount > 0) {
            return freeSlots[--freeCount];
        }
        if ((usedSlots + 1) * stride > records.length) {
            int slots = (int) Math.min(maxSlots, 2L * usedSlots);
            records = Arrays.copyOf(records, slots * stride);
            index.grow(slots, usedSlots, records);
        }
        return usedSlots++;
    }

    private void evict(int pinned) {
        int wanted = Math.max(1, Math.min(WRITE_BATCH, maxSlots / 8));
        if (freeSlots.length < wanted) {
            freeSlots = new int[wanted];
        }
        int writes = 0;
        while (freeCount < wanted) {
            int slot = clockHand;
            clockHand = slot + 1 == usedSlots ? 0 : slot + 1;
            int base = slot * stride;
            long header = records[base + VertexLayout.HEADER];
            if (slot == pinned
                    || VertexHeader.is(
                            VertexHeader.FREE, header)) { // free: the hand has come round to one of this very call
                continue;
            }
            if (VertexHeader.isAlive(header)) {
                records[base + VertexLayout.HEADER] = VertexHeader.passed(header);
                continue;
            }
            if (VertexHeader.is(VertexHeader.DIRTY, header)) {
                stage(slot, writes++);
            }
            index.remove(records[base], records);
            records[base + VertexLayout.HEADER] = VertexHeader.FREE;
            freeSlots[freeCount++] = slot;
        }
        writeStaged(writes);
    }

    private void stage(int slot, int write) {
        int base = slot * stride;
        if (VertexHeader.is(VertexHeader.UNPUBLISHED, records[base + VertexLayout.HEADER])) {
            listener.replicasChanged(this, slot);
        }
        records[base + VertexLayout.HEADER] &= ~(VertexHeader.DIRTY | VertexHeader.UNPUBLISHED);
        dirtyCount--;
        writeIds[write] = records[base];
        writeValues[write] = codec.encode(records, base);
        storedVertices++;
        storedBytes += writeValues[write].length;
    }

    private void writeStaged(int count) {
        if (count > 0) {
            store.write(writeIds, writeValues, count);
            Arrays.fill(writeValues, 0, count, null);
        }
    }

    /** Writes every changed vertex to the store; they stay in the table. */
    public void flush() {
        writeAhead(0);
    }

    /**
     * Writes changed vertices to the store until at most so many are left that it has older bytes of; they stay in the
     * table. It goes round the table and begins where it ended last, so that each has its turn.
     *
     * @param maxDirty at least 0
     */
    public void writeAhead(int maxDirty) {
        int writes = 0;
        while (dirtyCount > maxDirty) {
            int slot = writeHand < usedSlots ? writeHand : 0;
            writeHand = slot + 1;
            if (VertexHeader.is(VertexHeader.DIRTY, records[slot * stride + VertexLayout.HEADER])) {
                stage(slot, writes++);
                if (writes == writeIds.length) {
                    writeStaged(writes);
                    writes = 0;
                }
            }
        }
        writeStaged(writes);
    }

    /** Counts an edge at the vertex: one for each end, so two for a self-loop. */
    public void countEdge(int slot) {
        countEdges(slot, 1);
    }

    /** Counts an edge at the vertex towards its final degree. */
    public void countFinalEdge(int slot) {
        countFinalEdges(slot, 1);
    }

    /** As {@link #countEdge}, many at once. */
    public void countEdges(int slot, int count) {
        int at = slot * stride + VertexLayout.HEADER;
        records[at] = touched(records[at]) + count;
    }

    /** As {@link #countFinalEdge}, many at once. */
    public void countFinalEdges(int slot, int count) {
        int base = slot * stride;
        records[base + VertexLayout.FINAL_DEGREE] += count;
        touch(base);
    }

    private long touched(long header) {
        if (!VertexHeader.is(VertexHeader.DIRTY, header)) {
            dirtyCount++;
        }
        return VertexHeader.touched(header);
    }

    /**
     * Puts the vertex on a partition; its first partition becomes its master and stays so.
     *
     * @param loads counts the replica if it is new
     */
    public void addReplica(int slot, int partition, PartitionLoads loads) {
        int base = slot * stride;
        int word = base + replicasAt + (partition >>> 6);
        long bit = 1L << partition;
        if ((records[word] & bit) != 0) {
            return;
        }
        records[word] |= bit;
        long header = records[base + VertexLayout.HEADER];
        records[base + VertexLayout.HEADER] = touched(header) | VertexHeader.UNPUBLISHED;
        boolean isFirst = master(slot) == NO_MASTER;
        if (isFirst) {
            records[base + VertexLayout.HEADER] |= VertexHeader.of(0, partition);
        }
        loads.addReplica(partition, isFirst);
    }

    /**
     * Puts the vertex on partitions that were chosen elsewhere.
     *
     * @param update vertex {@code i} of it names them, and the master of a vertex that has none here
     * @param counts counts the replicas that are new
     */
    public void addReplicas(int slot, VertexBatch update, int i, ReplicaCounts counts) {
        int base = slot * stride;
        long header = records[base + VertexLayout.HEADER];
        boolean isFirst = VertexHeader.master(header) == NO_MASTER;
        boolean isChanged = false;
        int[] replicas = update.replicas();
        for (int r = update.replicasFrom(i); r < update.replicasFrom(i + 1); r++) {
            int word = base + replicasAt + (replicas[r] >>> 6);
            long bit = 1L << replicas[r];
            if ((records[word] & bit) == 0) {
                records[word] |= bit;
                counts.add(replicas[r], isFirst && !isChanged);
                isChanged = true;
            }
        }
        if (isChanged) {
            long master = isFirst ? VertexHeader.of(0, update.master(i)) : 0;
            records[base + VertexLayout.HEADER] = touched(header) | VertexHeader.UNPUBLISHED | master;
        }
    }

    /**
     * Copies the record of a vertex, {@code layout().stride()} longs with the id first, so that another table of the
     * same layout can {@link #load} it.
     */
    public void copyTo(long[] into, int at, int slot) {
        System.arraycopy(records, slot * stride, into, at, stride);
        into[at + VertexLayout.HEADER] = VertexHeader.plain(into[at + VertexLayout.HEADER]);
    }

    /** Takes in a record that {@link #copyTo} made; the vertex must not be in the table. Returns its slot. */
    public int load(long[] from, int at) {
        int slot = takeSlot(NO_SLOT);
        System.arraycopy(from, at, records, slot * stride, stride);
        index.insert(from[at], slot);
        vertexCount++;
        return slot;
    }

    /**
     * Adds replicas that are known from elsewhere and counted already.
     *
     * @param from words of a replica set, from {@code at} on
     * @param master the master, unless the vertex has one; or {@link #NO_MASTER}
     */
    public void unite(int slot, long[] from, int at, int master) {
        int base = slot * stride;
        for (int word = 0; word < replicaWords; word++) {
            records[base + replicasAt + word] |= from[at + word];
        }
        if (master(slot) == NO_MASTER) {
            records[base + VertexLayout.HEADER] |= VertexHeader.of(0, master);
        }
    }

    /**
     * Appends the replicas that a vertex has now and had not before, with its master; nothing if none is new.
     *
     * @param before its record as {@link #copyTo} made it, from {@code at} on
     */
    public void appendAdded(VertexBatch into, int slot, long[] before, int at) {
        boolean isAdded = false;
        for (int word = 0; word < replicaWords; word++) {
            for (long bits = replicaWord(slot, word) & ~before[at + replicasAt + word]; bits != 0; bits &= bits - 1) {
                if (!isAdded) {
                    into.add(vertex(slot), 0, master(slot));
                    isAdded = true;
                }
                into.addReplica((word << 6) + Long.numberOfTrailingZeros(bits));
            }
        }
    }

    /** Forgets every vertex and keeps the memory; for a table without a store. */
    public void clear() {
        if (store != VertexStore.NONE) {
            throw new IllegalStateException("a table in front of a store is never cleared");
        }
        index.clear();
        usedSlots = 0;
        freeCount = 0;
        clockHand = 0;
        dirtyCount = 0;
        vertexCount = 0;
    }

    public long vertex(int slot) {
        return records[slot * stride];
    }

    /** Edges seen at the vertex in the placing pass, self-loops twice. */
    public long degree(int slot) {
        return VertexHeader.degree(records[slot * stride + VertexLayout.HEADER]);
    }

    /** Edges of the whole input at the vertex. Only in a layout that has it. */
    public long finalDegree(int slot) {
        return records[slot * stride + VertexLayout.FINAL_DEGREE];
    }

    /** The partition of the vertex's first edge, or {@link #NO_MASTER} before it has one. */
    public int master(int slot) {
        return VertexHeader.master(records[slot * stride + VertexLayout.HEADER]);
    }

    /** The partition that the vertex is drawn to, or {@link #NO_HOME}. Only in a layout that has homes. */
    public int home(int slot) {
        return NeighbourHomes.home(records[slot * stride + homesAt + 1]);
    }

    public void setHome(int slot, int home) {
        int base = slot * stride;
        records[base + homesAt + 1] = NeighbourHomes.withHome(records[base + homesAt + 1], home);
        touch(base);
    }

    /** Counts a neighbour's home at the vertex, after the counters have decayed. */
    public void countNeighbourHome(int slot, int home) {
        int base = slot * stride;
        long weights = NeighbourHomes.decayed(records[base + homesAt]);
        long places = records[base + homesAt + 1];
        int counter = NeighbourHomes.counterOf(home, weights, places);
        boolean isItsOwn = NeighbourHomes.partition(places, counter) == home;
        int weight = (isItsOwn ? NeighbourHomes.weight(weights, counter) : 0) + NeighbourHomes.ONE;
        records[base + homesAt] = NeighbourHomes.withWeight(weights, counter, weight);
        records[base + homesAt + 1] = NeighbourHomes.withPartition(places, counter, home);
        touch(base);
    }

    /** The weights of the counters, to be taken apart by {@link NeighbourHomes#weight}. */
    public long neighbourHomeWeights(int slot) {
        return records[slot * stride + homesAt];
    }

    /** The partitions of the counters, to be taken apart by {@link NeighbourHomes#partition}. */
    public long neighbourHomePlaces(int slot) {
        return records[slot * stride + homesAt + 1];
    }

    /** The cluster, 0 or more, or {@link #NO_CLUSTER}. Only in a layout that has clusters. */
    public int cluster(int slot) {
        return (int) records[slot * stride + clusterAt] - 1;
    }

    public void setCluster(int slot, int cluster) {
        int base = slot * stride;
        records[base + clusterAt] = cluster + 1L;
        touch(base);
    }

    private void touch(int base) {
        records[base + VertexLayout.HEADER] = touched(records[base + VertexLayout.HEADER]);
    }

    public boolean hasReplica(int slot, int partition) {
        return (records[slot * stride + replicasAt + (partition >>> 6)] & (1L << partition)) != 0;
    }

    /** Word {@code word} of the replica set: bit b stands for partition 64 · word + b. */
    public long replicaWord(int slot, int word) {
        return records[slot * stride + replicasAt + word];
    }

    /** Words of a replica set: ⌈k / 64⌉. */
    public int replicaWords() {
        return replicaWords;
    }

    public int replicaCount(int slot) {
        int count = 0;
        for (int word = 0; word < replicaWords; word++) {
            count += Long.bitCount(replicaWord(slot, word));
        }
        return count;
    }

    /** Appends the vertex in a slot to a batch. */
    public void appendTo(VertexBatch into, int slot) {
        VertexCodec.append(into, layout, records, slot * stride);
    }

    public VertexLayout layout() {
        return layout;
    }

    /** Vertices in the table now. */
    public int size() {
        return usedSlots - freeCount;
    }

    /** Vertices ever created, here or in the store. */
    public long vertexCount() {
        return vertexCount;
    }

    /** Vertices in the table that the store has older bytes of. */
    public int dirtyCount() {
        return dirtyCount;
    }

    /** Bytes that the table occupies. */
    public long bytes() {
        return (long) records.length * Long.BYTES + index.bytes();
    }

    /** Mean size of a vertex's bytes as this table wrote them to the store; 0 before the first. */
    public double storedBytesPerVertex() {
        return storedVertices == 0 ? 0 : (double) storedBytes / storedVertices;
    }

    /** Vertices that were asked for and were here. */
    public long hits() {
        return hits;
    }

    /** Vertices that were asked for and were not here: to be read from the store, or new. */
    public long misses() {
        return misses;
    }
}
