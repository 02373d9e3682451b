package io.cutwater.state.table;

import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.store.VertexStore;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a {@link VertexTable}: which are free, which vertex gives its slot to another, and what is read from and
 * written to the store.
 *
 * <p>Eviction is a CLOCK with lives (generalised CLOCK, Smith 1978): the hand takes a life from each vertex that it
 * passes and evicts those that have none. A change of a vertex renews its lives, and a vertex of high degree has more,
 * up to 7: on power-law graphs that saves an eighth of the misses against one bit. Many are evicted at a time so that
 * the store sees few, large writes. A vertex that is not in the table is asked of the store only if the store can know
 * it, that is if fewer vertices are here than there are in all.
 */
final class SlotCache {
    static final int MIN_SLOTS = 16;
    private static final int WRITE_BATCH = 16 * 1024;

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

    /** Begins to read what the table lacks of the ends of these edges, for {@link #arrive}. */
    void announce(long[] sources, long[] targets, int from, int to) {
        announced.clear(2 * (to - from));
        if (size() >= vertexCount) {
            return; // nothing is in the store alone
        }
        for (int i = from; i < to; i++) {
            announce(sources[i]);
            announce(targets[i]);
        }
        announced.start(store);
    }

    private void announce(long vertex) {
        // What was read for the edges before these will be in the table by then.
        if (index.find(vertex, table.records) == VertexColumns.NO_SLOT && !readAhead.has(vertex)) {
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

    /** Returns a free slot; evicts vertices if there is none. */
    private int takeSlot(int pinned) {
        if (freeCount == 0 && usedSlots == maxSlots) {
            evict(pinned);
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

    private void evict(int pinned) {
        int wanted = Math.max(1, Math.min(WRITE_BATCH, maxSlots / 8));
        while (freeCount < wanted) {
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
            if (VertexHeader.is(VertexHeader.DIRTY, header)) {
                stage(slot);
            }
            free(slot);
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

    /** Returns whether the store reads beside the caller, and has something to read. */
    boolean readsAhead() {
        return store.isConcurrent() && size() < vertexCount;
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
