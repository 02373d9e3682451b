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
 * vertices are here than there are in all.
 *
 * <p>A vertex that is {@linkplain #forget forgotten} stays as an empty record until its turn comes to be written; then
 * it goes from the table and from the store, unless it has come back.
 */
public final class VertexTable {
    public static final int NO_SLOT = -1;
    public static final int NO_MASTER = -1;
    public static final int NO_HOME = -1;
    public static final int NO_CLUSTER = -1;

    /** Edges whose ends {@link #prefetch} takes at once: few enough that the first are still there when the last is. */
    public static final int PREFETCH_EDGES = 64;

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
    private final long[] openWords;
    private int openPartitions;
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
    private final int[] warmed = new int[2 * PREFETCH_EDGES];

    @SuppressWarnings("unused") // by us, on purpose: see warm
    private long warmth;

    private long hits;
    private long misses;
    private long storedVertices;
    private long storedBytes;

    private final ReadAhead readAhead = new ReadAhead();
    private final long[] writeIds;
    private final byte[] @Nullable [] writeValues;

    /** A table that keeps every vertex. */
    public VertexTable(VertexLayout layout) {
        this(layout, VertexStore.NONE, Long.MAX_VALUE, 0, VertexListener.NONE);
    }

    /**
     * @param maxBytes bound of the table's memory; while it grows towards it, half as much again is in use for a moment
     * @param vertexCount vertices that the store holds already
     * @param listener is told of a vertex whose replicas or degree changed before its bytes go to the store
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
        openWords = new long[replicaWords];
        restrictTo(layout.partitionCount());
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
     * Brings the records of the ends of a few edges, at most {@value #PREFETCH_EDGES}, from memory into the processor's
     * caches; changes nothing but the time that {@link #slot} takes. One look-up after the other waits for memory each
     * time; here none depends on another, so that the processor waits for many at once. On tables beyond its caches the
     * whole loop of {@code hdrf} takes about half the time (R-MAT, 16 million edges).
     *
     * @param sources, targets ends of edges, of which those from {@code from} to before {@code to} are meant
     */
    public void prefetch(long[] sources, long[] targets, int from, int to) {
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
            free(slot);
        }
        writeStaged(writes);
    }

    private void free(int slot) {
        index.remove(records[slot * stride], records);
        records[slot * stride + VertexLayout.HEADER] = VertexHeader.FREE;
        if (freeCount == freeSlots.length) {
            freeSlots = Arrays.copyOf(freeSlots, Math.max(MIN_SLOTS, freeCount + (freeCount >> 1)));
        }
        freeSlots[freeCount++] = slot;
    }

    /** Whether the vertex stays; if not, its slot is to be freed. */
    private boolean stage(int slot, int write) {
        int base = slot * stride;
        long header = records[base + VertexLayout.HEADER];
        if (VertexHeader.is(VertexHeader.UNPUBLISHED | VertexHeader.RECOUNTED, header)) {
            listener.changed(this, slot, VertexHeader.is(VertexHeader.UNPUBLISHED, header));
        }
        records[base + VertexLayout.HEADER] = header
                & ~(VertexHeader.DIRTY | VertexHeader.UNPUBLISHED | VertexHeader.RECOUNTED | VertexHeader.EMPTIED);
        dirtyCount--;
        writeIds[write] = records[base];
        if (VertexHeader.is(VertexHeader.EMPTIED, header) && isEmpty(base)) {
            writeValues[write] = null;
            vertexCount--;
            return false;
        }
        byte[] value = codec.encode(records, base);
        writeValues[write] = value;
        storedVertices++;
        storedBytes += value.length;
        return true;
    }

    private boolean isEmpty(int base) {
        boolean isEmpty = VertexHeader.plain(records[base + VertexLayout.HEADER]) == 0;
        for (int at = base + VertexLayout.HEADER + 1; at < base + stride; at++) {
            isEmpty &= records[at] == 0;
        }
        return isEmpty;
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
                if (!stage(slot, writes++)) {
                    free(slot);
                }
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
        records[at] = recounted(records[at]) + count;
    }

    /** The vertex loses one of its edges: counts it down once for each end. */
    public void uncountEdge(int slot) {
        int at = slot * stride + VertexLayout.HEADER;
        records[at] = recounted(records[at]) - 1;
    }

    /**
     * Counts an edge of the vertex on a partition, or one less. Only in a layout that has counts.
     *
     * @param change 1 or −1
     * @return how many there are now
     * @throws IllegalStateException if there were none to take one from, or 2³² − 1
     */
    public long countAt(int slot, int partition, int change) {
        int base = slot * stride;
        long count = layout.count(records, base, partition) + change;
        if (count >>> Integer.SIZE != 0) {
            throw new IllegalStateException("vertex %d has %d edges on partition %d; 0 to 4294967295 can be counted"
                    .formatted(vertex(slot), count, partition));
        }
        layout.setCount(records, base, partition, count);
        touch(base);
        return count;
    }

    /** Edges of the vertex on a partition, as {@link #countAt} has counted them. Only in a layout that has counts. */
    public long edgesAt(int slot, int partition) {
        return layout.count(records, slot * stride, partition);
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

    private long recounted(long header) {
        if (!VertexHeader.is(VertexHeader.DIRTY, header)) {
            dirtyCount++;
        }
        return VertexHeader.recounted(header);
    }

    /**
     * Puts the vertex on a partition; its first partition becomes its master and stays so.
     *
     * @param loads counts the replica if it is new
     * @return whether it is new
     */
    public boolean addReplica(int slot, int partition, PartitionLoads loads) {
        int base = slot * stride;
        int word = base + replicasAt + (partition >>> 6);
        long bit = 1L << partition;
        if ((records[word] & bit) != 0) {
            return false;
        }
        records[word] |= bit;
        long header = records[base + VertexLayout.HEADER];
        records[base + VertexLayout.HEADER] = touched(header) | VertexHeader.UNPUBLISHED;
        boolean isFirst = master(slot) == NO_MASTER;
        if (isFirst) {
            records[base + VertexLayout.HEADER] |= VertexHeader.of(0, partition);
        }
        loads.addReplica(partition, isFirst);
        return true;
    }

    /**
     * Takes a vertex off a partition where it is. If that was its master, the partition with most of its edges becomes
     * the master, the lowest of them on ties; so the layout must have counts.
     *
     * @param loads counts the replica down
     */
    public void removeReplica(int slot, int partition, PartitionLoads loads) {
        int base = slot * stride;
        records[base + replicasAt + (partition >>> 6)] &= ~(1L << partition);
        records[base + VertexLayout.HEADER] = touched(records[base + VertexLayout.HEADER]) | VertexHeader.UNPUBLISHED;
        if (master(slot) == partition) {
            setMaster(slot, fullest(slot));
        }
        loads.removeReplica(partition, master(slot) == NO_MASTER);
    }

    /** Of the partitions where the vertex is, the one with most of its edges; {@link #NO_MASTER} if it is nowhere. */
    private int fullest(int slot) {
        int fullest = NO_MASTER;
        for (int word = 0; word < replicaWords; word++) {
            for (long bits = records[slot * stride + replicasAt + word]; bits != 0; bits &= bits - 1) {
                int partition = (word << 6) + Long.numberOfTrailingZeros(bits);
                if (fullest == NO_MASTER || edgesAt(slot, partition) > edgesAt(slot, fullest)) {
                    fullest = partition;
                }
            }
        }
        return fullest;
    }

    /** Makes another partition the master; @param partition where the vertex is, or {@link #NO_MASTER} */
    public void setMaster(int slot, int partition) {
        int at = slot * stride + VertexLayout.HEADER;
        records[at] = VertexHeader.withMaster(touched(records[at]), partition) | VertexHeader.UNPUBLISHED;
    }

    /**
     * Lets a vertex go that has no edge and no replica any more: empties its record, which goes from the table and from
     * the store when it is its turn to be written. Its slot is good until the next one is asked for.
     */
    public void forget(int slot) {
        int base = slot * stride;
        long header = touched(records[base + VertexLayout.HEADER]);
        Arrays.fill(records, base + VertexLayout.HEADER + 1, base + stride, 0);
        records[base + VertexLayout.HEADER] = header & ~VertexHeader.plain(header) | VertexHeader.EMPTIED;
        if (store == VertexStore.NONE) { // nothing is ever written
            if (VertexHeader.is(VertexHeader.UNPUBLISHED, header)) {
                listener.changed(this, slot, true);
            }
            dirtyCount--;
            vertexCount--;
            free(slot);
        }
    }

    /**
     * Hides partitions from the rules: {@link #hasReplica}, {@link #replicaWord} and {@link #home} answer as if there
     * were partitions 0 to {@code open} − 1 only.
     *
     * @param open 1 to k
     */
    public void restrictTo(int open) {
        openPartitions = open;
        for (int word = 0; word < replicaWords; word++) {
            int bits = Math.max(0, Math.min(Long.SIZE, open - word * Long.SIZE));
            openWords[word] = bits == 0 ? 0 : -1L >>> Long.SIZE - bits;
        }
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
            long now = records[slot * stride + replicasAt + word];
            for (long bits = now & ~before[at + replicasAt + word]; bits != 0; bits &= bits - 1) {
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

    /**
     * The partition of the vertex's first edge, or where {@link #removeReplica} has moved it; or {@link #NO_MASTER}.
     */
    public int master(int slot) {
        return VertexHeader.master(records[slot * stride + VertexLayout.HEADER]);
    }

    /**
     * The partition that the vertex is drawn to, or {@link #NO_HOME} if it has none or one that is not open. Only in a
     * layout that has homes.
     */
    public int home(int slot) {
        int home = storedHome(slot);
        return home < openPartitions ? home : NO_HOME;
    }

    /** Likewise, also if it is not open, or is gone since there are fewer partitions. */
    public int storedHome(int slot) {
        return NeighbourHomes.home(records[slot * stride + homesAt + 1]);
    }

    /** @param home a partition, or {@link #NO_HOME} */
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
        return (replicaWord(slot, partition >>> 6) & (1L << partition)) != 0;
    }

    /** Word {@code word} of the replica set: bit b stands for partition 64 · word + b. */
    public long replicaWord(int slot, int word) {
        return records[slot * stride + replicasAt + word] & openWords[word];
    }

    /** Words of a replica set: ⌈k / 64⌉. */
    public int replicaWords() {
        return replicaWords;
    }

    /** Partitions where the vertex is, open or not. */
    public int replicaCount(int slot) {
        int count = 0;
        for (int word = 0; word < replicaWords; word++) {
            count += Long.bitCount(records[slot * stride + replicasAt + word]);
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

    /** Vertices that there are, here or in the store; those that were forgotten count until they are gone. */
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
