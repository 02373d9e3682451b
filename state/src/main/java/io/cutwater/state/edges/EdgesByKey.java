package io.cutwater.state.edges;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexSlots;
import io.cutwater.state.store.AdjacencyStore;
import io.cutwater.state.store.VarintReader;
import io.cutwater.state.store.VarintWriter;
import io.cutwater.state.store.VertexStore;
import java.util.Arrays;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The edge of each key. It turns rows with keys into edges that enter and leave a graph: an edge with a new key enters,
 * one that differs from the edge of its key takes the place of that one, and an equal one, such as a record that a
 * source delivers again, changes nothing. A removal takes the edge of its key away.
 *
 * <p>A filter in memory ({@link EdgeFilter}) knows of most new keys that they are new, so these are not looked for in
 * the store. Over a store that is not empty, it must be told of the stored keys first; until then it does not decide
 * about those that may be missing in it ({@link #restoring}).
 *
 * <p>If vertices can be removed, each key also has a row under both ends of its edge, by which the edges of a vertex
 * are found.
 *
 * <p>The bytes of an edge in the store:
 *
 * <pre>
 *   1 byte    version (low 4 bits = 1), bit 5: weight, bit 6: timestamp
 *   varint    source
 *   varint    target
 *   varint    the bytes of its weight, reversed, so that round numbers are short; with bit 5
 *   varint    timestamp, its sign in the lowest bit; with bit 6
 * </pre>
 */
public final class EdgesByKey {
    private static final int VERSION = 1;
    private static final int VERSION_MASK = 0x0F;
    private static final int WEIGHT_FLAG = 0x20;
    private static final int TIMESTAMP_FLAG = 0x40;

    private static final long TARGET = 0; // of the filter's pairs, whose source is the key

    private final VertexStore store;
    private final EdgeFilter filter;
    private final KeysByVertex byVertex;
    private @Nullable LongPredicate isUnread;
    private long repeated;
    private long unknownRemovals;

    // By number of the key in the batch.
    private long[] sources = {};
    private long[] targets = {};
    private double[] weights = {};
    private long[] timestamps = {};
    private boolean[] isThere = {};
    private boolean[] isChanged = {};

    // Keys to look for, and their numbers in the batch.
    private long[] wanted = {};
    private int[] slots = {};

    private final VarintWriter out = new VarintWriter();
    private final VarintReader in = new VarintReader("the stored edge of a key", IllegalStateException::new);

    /**
     * @param store of edges by key
     * @param repeated edges so far that changed nothing
     * @param unknownRemovals removals so far whose key had no edge
     * @param filterBytes memory of the filter, 64 bytes to 1 GiB, ten bits for each key to be of use
     * @param byVertex receives the keys of the edges of each vertex, as rows of neighbours, so that vertices can be
     *     removed; null if they are not
     */
    public EdgesByKey(
            VertexStore store,
            long repeated,
            long unknownRemovals,
            long filterBytes,
            @Nullable AdjacencyStore byVertex) {
        this.store = store;
        this.byVertex = new KeysByVertex(byVertex);
        filter = new EdgeFilter(filterBytes);
        this.repeated = repeated;
        this.unknownRemovals = unknownRemovals;
    }

    /**
     * Prepares for a store that is not empty; call it before the first batch.
     *
     * @param isUnread says of a key whether the filter may not have been told of it yet ({@link #restored}); asked
     *     until {@link #restoredAll}
     */
    public void restoring(LongPredicate isUnread) {
        this.isUnread = isUnread;
    }

    /** Adds a key that the store held before to the filter. */
    public void restored(long key) {
        filter.add(key, TARGET);
    }

    /**
     * Forgets the edges of a vertex, and appends the removal of the vertex, which takes them away.
     *
     * @throws IllegalStateException if vertices cannot be removed
     */
    public void removeVertex(long vertex, EdgeBatch into) {
        long[] keys = byVertex.of(vertex);
        for (int from = 0; from < keys.length; from += EdgeBatch.DEFAULT_CAPACITY) {
            forget(Arrays.copyOfRange(keys, from, Math.min(keys.length, from + EdgeBatch.DEFAULT_CAPACITY)));
        }
        into.add(vertex, vertex);
        into.setVertexRemoval(into.size() - 1);
    }

    private void forget(long[] keys) {
        ensureCapacity(keys.length);
        byte[][] stored = new byte[keys.length][];
        store.read(keys, keys.length, stored);
        for (int slot = 0; slot < keys.length; slot++) {
            if (stored[slot] == null) {
                throw new IllegalStateException(
                        "the edge of key %d is missing; the checkpoint is damaged, so go on from another one"
                                .formatted(keys[slot]));
            }
            decode(slot, stored[slot]);
            byVertex.remove(sources[slot], targets[slot], keys[slot]);
        }
        store.write(keys, new byte[keys.length][], keys.length);
    }

    /** The filter has been told of every key that the store had before. */
    public void restoredAll() {
        isUnread = null;
    }

    private boolean isSurelyNew(long key) {
        LongPredicate unread = isUnread;
        return (unread == null || !unread.test(key)) && !filter.mayContain(key, TARGET);
    }

    /**
     * Applies rows in their order.
     *
     * @param rows a batch with keys
     * @param into receives edges and removals of edges, with their keys and ends; for a row that replaces an edge, a
     *     removal and an edge
     */
    public void apply(EdgeBatch rows, EdgeBatch into) {
        int size = rows.size();
        VertexSlots slots = new VertexSlots(size);
        int[] slotOf = new int[size];
        for (int i = 0; i < size; i++) {
            slotOf[i] = slots.slot(rows.key(i));
        }
        long[] keys = slots.vertices();
        read(keys);
        for (int i = 0; i < size; i++) {
            if (rows.isRemoval(i)) {
                remove(slotOf[i], rows.key(i), into);
            } else {
                put(slotOf[i], rows, i, into);
            }
        }
        write(keys);
    }

    private void read(long[] keys) {
        int count = keys.length;
        ensureCapacity(count);
        Arrays.fill(isChanged, 0, count, false);
        Arrays.fill(isThere, 0, count, false);
        readStored(keys);
    }

    private void ensureCapacity(int count) {
        if (sources.length < count) {
            sources = new long[count];
            targets = new long[count];
            weights = new double[count];
            timestamps = new long[count];
            isThere = new boolean[count];
            isChanged = new boolean[count];
            wanted = new long[count];
            slots = new int[count];
        }
    }

    private void readStored(long[] keys) {
        int toRead = 0;
        for (int slot = 0; slot < keys.length; slot++) {
            if (!isSurelyNew(keys[slot])) {
                wanted[toRead] = keys[slot];
                slots[toRead++] = slot;
            }
        }
        byte[][] stored = new byte[toRead][];
        store.read(wanted, toRead, stored);
        for (int i = 0; i < toRead; i++) {
            if (stored[i] != null) {
                isThere[slots[i]] = true;
                decode(slots[i], stored[i]);
            }
        }
    }

    private void remove(int slot, long key, EdgeBatch into) {
        if (!isThere[slot]) {
            unknownRemovals++;
            return;
        }
        takeAway(slot, key, into);
        isThere[slot] = false;
        isChanged[slot] = true;
    }

    private void takeAway(int slot, long key, EdgeBatch into) {
        byVertex.remove(sources[slot], targets[slot], key);
        into.add(sources[slot], targets[slot]);
        into.setKey(into.size() - 1, key);
        into.setRemoval(into.size() - 1);
    }

    private void put(int slot, EdgeBatch rows, int i, EdgeBatch into) {
        if (isThere[slot]) {
            if (sources[slot] == rows.source(i)
                    && targets[slot] == rows.target(i)
                    && Double.compare(weights[slot], rows.weight(i)) == 0
                    && timestamps[slot] == rows.timestamp(i)) {
                repeated++;
                return;
            }
            takeAway(slot, rows.key(i), into);
        }
        sources[slot] = rows.source(i);
        targets[slot] = rows.target(i);
        weights[slot] = rows.weight(i);
        timestamps[slot] = rows.timestamp(i);
        isThere[slot] = true;
        isChanged[slot] = true;
        byVertex.add(sources[slot], targets[slot], rows.key(i));
        into.add(sources[slot], targets[slot], weights[slot], timestamps[slot], rows.key(i));
    }

    private void write(long[] keys) {
        byte[][] values = new byte[keys.length][];
        int changes = 0;
        for (int slot = 0; slot < keys.length; slot++) {
            if (isChanged[slot]) {
                if (isThere[slot]) {
                    filter.add(keys[slot], TARGET);
                }
                keys[changes] = keys[slot];
                values[changes++] = isThere[slot] ? encode(slot) : null;
            }
        }
        if (changes > 0) {
            store.write(keys, values, changes);
        }
    }

    private byte[] encode(int slot) {
        boolean hasWeight = !Double.isNaN(weights[slot]);
        boolean hasTimestamp = timestamps[slot] != EdgeBatch.NO_TIMESTAMP;
        out.truncate(0);
        out.writeByte(VERSION | (hasWeight ? WEIGHT_FLAG : 0) | (hasTimestamp ? TIMESTAMP_FLAG : 0));
        out.write(sources[slot]);
        out.write(targets[slot]);
        if (hasWeight) {
            out.write(Long.reverseBytes(Double.doubleToLongBits(weights[slot])));
        }
        if (hasTimestamp) {
            out.write(timestamps[slot] << 1 ^ timestamps[slot] >> Long.SIZE - 1);
        }
        return out.toBytes();
    }

    private void decode(int slot, byte[] bytes) {
        in.start(bytes);
        int flags = in.readByte();
        if ((flags & VERSION_MASK) != VERSION) {
            throw new IllegalStateException("the stored edge of a key has version %d; this build reads version %d"
                    .formatted(flags & VERSION_MASK, VERSION));
        }
        sources[slot] = in.read();
        targets[slot] = in.read();
        weights[slot] = (flags & WEIGHT_FLAG) == 0 ? Double.NaN : Double.longBitsToDouble(Long.reverseBytes(in.read()));
        timestamps[slot] = EdgeBatch.NO_TIMESTAMP;
        if ((flags & TIMESTAMP_FLAG) != 0) {
            long zigzag = in.read();
            timestamps[slot] = zigzag >>> 1 ^ -(zigzag & 1);
        }
        in.checkEnd();
    }

    /** Returns the number of edges that changed nothing: the edge of their key was equal. */
    public long repeated() {
        return repeated;
    }

    /** Returns the number of removals whose key had no edge. */
    public long unknownRemovals() {
        return unknownRemovals;
    }
}
