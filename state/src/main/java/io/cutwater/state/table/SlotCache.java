package io.cutwater.state.table;

import io.cutwater.state.graph.RecordPrefetch;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.store.VertexStore;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a {@link VertexTable}: which are free, which vertex gives its slot to another, and what is read from and
 * written to the store.
 *
 * <p>Eviction is a CLOCK with lives (generalised CLOCK, Smith 1978): the hand takes a life from each vertex that it
 * passes, and those that have none are next to go. A change of a vertex renews its lives, and a vertex of high degree
 * has more, up to 7: on power-law graphs that saves an eighth of the misses against one bit. Many are chosen and
 * written at a time so that the store sees few, large writes; each stays in the table until its slot is needed, and
 * longer if it is touched before. A vertex that is not in the table is asked of the store only if the store can know
 * it, that is if fewer vertices are here than there are in all.
 */
final class SlotCache {
    static final int MIN_SLOTS = 16;
    private static final int WRITE_BATCH = 16 * 1024;
    /** Edges whose ends are read while those before them are placed; a multiple of {@link RecordPrefetch#EDGES}. */
    private static final int FEW_EDGES = 512;
    /** Vertices that are chosen to leave at once, as a part of the table. */
    private static final int LEAVING_SHARE = 4;

    private final VertexTable table;
    private final VertexStore store;
    private final VertexTable.Listener listener;
    private final VertexCodec codec;
    private final SlotIndex index;
    private final int stride;
    private final long maxBytes;
    private final int maxSlots;
    private int usedSlots;
    private int[] freeSlots = new int[0];
    private int freeCount;
    private int[] leaving = new int[0]; // slots of vertices that were written and go next, from leavingFrom on
    private int leavingFrom;
    private int leavingTo;
    private int clockHand;
    private int writeHand;
    private long vertexCount;
    private long misses;
    private long departures;

    private ReadAhead readAhead = new ReadAhead();
    private ReadAhead announced = new ReadAhead(); // what the store reads meanwhile
    private final StagedWrites writes;

    SlotCache(
            VertexTable table,
            SlotIndex index,
            VertexStore store,
            long maxBytes,
            long vertexCount,
            VertexTable.Listener listener) {
        this.table = table;
        this.index = index;
        this.store = store;
        this.listener = listener;
        this.vertexCount = vertexCount;
        this.maxBytes = maxBytes;
        stride = table.stride;
        codec = new VertexCodec(table.layout);
        maxSlots = slotsWithin(maxBytes, stride);
        writes = new StagedWrites(store, Math.min(WRITE_BATCH, maxSlots));
    }

    /** Returns an empty cache of the table, whose layout has changed. */
    SlotCache emptied(SlotIndex newIndex) {
        return new SlotCache(table, newIndex, store, maxBytes, vertexCount, listener);
    }

    /** Takes over the records of a cache with another layout, all of which are written, while there is room. */
    void takeOver(SlotCache before, VertexLayout layout, long[] records) {
        for (int slot = 0; slot < before.usedSlots && usedSlots < maxSlots; slot++) {
            int at = slot * before.stride;
            if (!VertexHeader.is(VertexHeader.FREE, records[at + VertexLayout.HEADER])) {
                int taken = takeSlot(VertexColumns.NO_SLOT);
                Arrays.fill(table.records, taken * stride, (taken + 1) * stride, 0);
                layout.copyTo(table.layout, records, at, table.records, taken * stride);
                index.insert(records[at], taken);
            }
        }
        misses = before.misses;
        departures = before.departures;
    }

    /** Returns how many vertices a table of at most so many bytes has room for, and {@value #MIN_SLOTS} at least. */
    static int slotsWithin(long maxBytes, int stride) {
        long bytesPerSlot = (long) stride * Long.BYTES + 4 * Integer.BYTES;
        long addressable = (Integer.MAX_VALUE - 8) / stride;
        return (int) Math.max(MIN_SLOTS, Math.min(Math.min(maxBytes / bytesPerSlot, addressable), 1 << 29));
    }

    /** Reads what the table lacks of the ends of these edges from the store in one go. */
    void expect(long[] sources, long[] targets, int count) {
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
     * Begins to read what the table lacks of the ends of the next edges, for {@link #arrive}. If that is more than a
     * quarter of the ends, the store has more to do than the placing, and reads all that there is room for: the more it
     * reads in its own order, the more of the way to a vertex is that to the one before. Otherwise it reads a few while
     * the edges before them are placed.
     *
     * @return the end of the edges that are meant
     */
    int announce(long[] sources, long[] targets, int from, int end) {
        if (size() >= vertexCount) { // nothing is in the store alone
            announced.clear(0);
            return end;
        }
        int few = store.isConcurrent() ? Math.min(end, from + FEW_EDGES) : end;
        int most = Math.min(end, from + Math.max(FEW_EDGES, maxSlots / 2 / FEW_EDGES * FEW_EDGES));
        announced.clear(2 * (Math.max(few, most) - from));
        announceAll(sources, targets, from, few);
        int to = few;
        if (announced.size() > (few - from) / 2) {
            to = Math.max(few, most);
            announceAll(sources, targets, few, to);
        }
        announced.start(store);
        return to;
    }

    private void announceAll(long[] sources, long[] targets, int from, int to) {
        for (int i = from; i < to; i++) {
            announce(sources[i]);
            announce(targets[i]);
        }
    }

    private void announce(long vertex) {
        int slot = index.find(vertex, table.records);
        if (slot != VertexColumns.NO_SLOT) {
            int header = slot * stride + VertexLayout.HEADER;
            table.records[header] = VertexHeader.renewed(table.records[header]); // it should be here still by then
        } else if (!readAhead.has(vertex)) { // what was read for the edges before these will be in the table
            announced.add(vertex);
        }
    }

    /** Waits for what was announced last. */
    void arrive() {
        store.await();
        ReadAhead used = readAhead;
        readAhead = announced;
        announced = used;
        announced.clear(0);
    }

    /** Reads what the table lacks of these vertices from the store in one go. */
    void expect(long[] expected, int count) {
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
        if (index.find(vertex, table.records) == VertexColumns.NO_SLOT) {
            readAhead.add(vertex);
        }
    }

    /** Loads a vertex that the table lacks, or creates it; leaves the vertex in slot {@code pinned} where it is. */
    int load(long vertex, int pinned) {
        int slot = takeSlot(pinned);
        int base = slot * stride;
        Arrays.fill(table.records, base, base + stride, 0);
        table.records[base] = vertex;
        misses++;
        byte[] stored = stored(vertex);
        announced.discard(vertex);
        if (stored != null) {
            codec.decode(stored, table.records, base);
        } else {
            // Dirty from the start: a vertex that is evicted before its first edge would be created, and counted,
            // twice.
            table.records[base + VertexLayout.HEADER] = VertexHeader.DIRTY;
            table.dirtyCount++;
            vertexCount++;
            store.created(vertex);
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

    /** Returns whether a slot that the table has memory for holds a vertex. */
    boolean isUsed(int slot) {
        return slot < usedSlots
                && !VertexHeader.is(VertexHeader.FREE, table.records[slot * stride + VertexLayout.HEADER]);
    }

    /** Returns a free slot; evicts a vertex if there is none. */
    private int takeSlot(int pinned) {
        while (freeCount == 0 && usedSlots == maxSlots) {
            if (leavingFrom == leavingTo) {
                chooseLeaving(pinned);
            } else {
                evict(leaving[leavingFrom++], pinned);
            }
        }
        if (freeCount > 0) {
            return freeSlots[--freeCount];
        }
        if ((usedSlots + 1) * stride > table.records.length) {
            int slots = (int) Math.min(maxSlots, 2L * usedSlots);
            table.records = Arrays.copyOf(table.records, slots * stride);
            index.grow(slots, usedSlots, table.records);
        }
        return usedSlots++;
    }

    /** Adds a record of another table of the same layout; the vertex must not be here. Returns its slot. */
    int load(long[] from, int at) {
        int slot = takeSlot(VertexColumns.NO_SLOT);
        System.arraycopy(from, at, table.records, slot * stride, stride);
        index.insert(from[at], slot);
        vertexCount++;
        return slot;
    }

    /** Frees the slot of a vertex that was forgotten, if there is no store to write that to. */
    void forget(int slot) {
        if (store == VertexStore.NONE) {
            drop(slot);
        }
    }

    /** Frees a slot that was chosen, unless its vertex has gone or was touched since. */
    private void evict(int slot, int pinned) {
        long header = table.records[slot * stride + VertexLayout.HEADER];
        if (slot != pinned
                && !VertexHeader.is(VertexHeader.FREE | VertexHeader.DIRTY, header)
                && !VertexHeader.isAlive(header)) {
            free(slot);
        }
    }

    /** Chooses the vertices that go next, and writes those of them that changed. */
    private void chooseLeaving(int pinned) {
        if (leaving.length == 0) {
            leaving = new int[Math.max(1, Math.min(WRITE_BATCH, maxSlots / LEAVING_SHARE))];
        }
        leavingFrom = 0;
        leavingTo = 0;
        while (leavingTo + freeCount < leaving.length) {
            if (leavingTo > 0 && clockHand == leaving[0]) {
                break; // the hand has come round; none is chosen twice
            }
            int slot = clockHand;
            clockHand = slot + 1 == usedSlots ? 0 : slot + 1;
            int base = slot * stride;
            long header = table.records[base + VertexLayout.HEADER];
            if (slot == pinned || VertexHeader.is(VertexHeader.FREE, header)) { // freed by this very call
                continue;
            }
            if (VertexHeader.isAlive(header)) {
                table.records[base + VertexLayout.HEADER] = VertexHeader.passed(header);
                continue;
            }
            if (VertexHeader.is(VertexHeader.DIRTY, header) && !stage(slot)) {
                free(slot);
            } else {
                leaving[leavingTo++] = slot;
            }
        }
        writes.write();
    }

    private void free(int slot) {
        departures++;
        index.remove(table.records[slot * stride], table.records);
        table.records[slot * stride + VertexLayout.HEADER] = VertexHeader.FREE;
        if (freeCount == freeSlots.length) {
            freeSlots = Arrays.copyOf(freeSlots, Math.max(MIN_SLOTS, freeCount + (freeCount >> 1)));
        }
        freeSlots[freeCount++] = slot;
    }

    /** Returns whether the vertex stays; otherwise its slot is to be freed. */
    private boolean stage(int slot) {
        int base = slot * stride;
        long header = table.records[base + VertexLayout.HEADER];
        if (VertexHeader.is(VertexHeader.UNPUBLISHED | VertexHeader.RECOUNTED, header)) {
            listener.changed(table, slot, VertexHeader.is(VertexHeader.UNPUBLISHED, header));
        }
        table.records[base + VertexLayout.HEADER] = header
                & ~(VertexHeader.DIRTY | VertexHeader.UNPUBLISHED | VertexHeader.RECOUNTED | VertexHeader.EMPTIED);
        table.dirtyCount--;
        boolean stays = !VertexHeader.is(VertexHeader.EMPTIED, header) || !isEmpty(slot);
        writes.add(table.records[base], stays ? codec.encode(table.records, base) : null);
        if (!stays) {
            vertexCount--;
        }
        return stays;
    }

    /** Returns whether the record of a vertex says nothing. */
    boolean isEmpty(int slot) {
        int base = slot * stride;
        boolean isEmpty = VertexHeader.plain(table.records[base + VertexLayout.HEADER]) == 0;
        for (int at = base + VertexLayout.HEADER + 1; at < base + stride; at++) {
            isEmpty &= table.records[at] == 0;
        }
        return isEmpty;
    }

    /**
     * Writes changed vertices to the store until at most so many are left that it has older bytes of; they stay in the
     * table. It goes round the table and begins where it ended last, so that each has its turn.
     *
     * @param maxDirty at least 0
     */
    void writeAhead(int maxDirty) {
        while (table.dirtyCount > maxDirty) {
            int slot = writeHand < usedSlots ? writeHand : 0;
            writeHand = slot + 1;
            if (VertexHeader.is(VertexHeader.DIRTY, table.records[slot * stride + VertexLayout.HEADER])) {
                if (!stage(slot)) {
                    free(slot);
                }
            }
        }
        writes.write();
    }

    /** Returns the slot of a vertex, or {@link VertexColumns#NO_SLOT}. */
    int find(long vertex) {
        return index.find(vertex, table.records);
    }

    /** Adds a vertex with the bytes of its record, which the store has or will get; it must not be here. */
    int load(long vertex, byte[] stored) {
        int slot = takeSlot(VertexColumns.NO_SLOT);
        int base = slot * stride;
        Arrays.fill(table.records, base, base + stride, 0);
        table.records[base] = vertex;
        codec.decode(stored, table.records, base);
        index.insert(vertex, slot);
        vertexCount++;
        return slot;
    }

    /** Writes what changed of some vertices, all of which are here, and frees their slots. */
    void evict(long[] evicted, int count) {
        for (int i = 0; i < count; i++) {
            int slot = index.find(evicted[i], table.records);
            boolean isDirty = VertexHeader.is(VertexHeader.DIRTY, table.records[slot * stride + VertexLayout.HEADER]);
            if (isDirty && !stage(slot)) {
                free(slot);
            } else {
                drop(slot);
            }
        }
        writes.write();
    }

    /** Returns the bytes of a vertex. */
    byte[] encode(int slot) {
        return codec.encode(table.records, slot * stride);
    }

    /**
     * Overwrites the columns of a vertex with those in its bytes, or empties them; keeps the bookkeeping of the table.
     */
    void replace(int slot, byte @Nullable [] stored) {
        int base = slot * stride;
        long header = table.records[base + VertexLayout.HEADER];
        Arrays.fill(table.records, base + VertexLayout.HEADER, base + stride, 0);
        if (stored != null) {
            codec.decode(stored, table.records, base);
        }
        table.records[base + VertexLayout.HEADER] |= header & ~VertexHeader.plain(header);
    }

    /** Frees the slot of a vertex; what is not written is lost. */
    void drop(int slot) {
        if (VertexHeader.is(VertexHeader.DIRTY, table.records[slot * stride + VertexLayout.HEADER])) {
            table.dirtyCount--;
        }
        vertexCount--;
        free(slot);
    }

    boolean hasStore() {
        return store != VertexStore.NONE;
    }

    int size() {
        return usedSlots - freeCount;
    }

    long vertexCount() {
        return vertexCount;
    }

    long departures() {
        return departures;
    }

    long misses() {
        return misses;
    }

    double storedBytesPerVertex() {
        return writes.bytesPerVertex();
    }
}
