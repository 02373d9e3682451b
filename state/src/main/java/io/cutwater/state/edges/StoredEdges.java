package io.cutwater.state.edges;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.Place;
import io.cutwater.state.store.AdjacencyStore;
import org.jspecify.annotations.Nullable;

/**
 * Kept edges in a store of rows. In an edge partitioning, each edge has a row under its source, with the place of each
 * copy; if it is to be found by its target too, it also has a row under that, which says only that it is there. In a
 * vertex partitioning, where the owners of the ends tell the places, it has a row under each end, so that all edges of
 * a vertex are found there; a self-loop has one row.
 *
 * <p>An edge with more than {@value #ROW_COPIES} copies has several rows: full ones with the older copies, and row 0
 * with the latest, so that adding, moving or removing the oldest copy takes constant time, and removing one by its key
 * a row for each {@value #ROW_COPIES} copies. A longer row of an earlier build is divided when it is changed.
 *
 * <p>A new copy is appended to row 0 without a look-up in the store, whether the edge has others or not. So that the
 * row does not become long, every {@value #APPENDS}th copy, or an earlier one, has it read and written again, by a
 * count that edges of the same hash share.
 */
public final class StoredEdges implements KeptEdges {
    /** Counts in one task: few enough for the processor's second-level cache. */
    public static final int COUNTS = 1 << 20;

    /** The most copies in a row, but for those that were appended to it. */
    static final int ROW_COPIES = 64;

    static final int APPENDS = 256;

    private static final int MARKED_AT_ONCE = 1 << 16;

    /** The row under the target: its version. */
    private static final byte[] MARK = {KeptRow.VERSION};

    private final AdjacencyStore store;
    private final boolean hasPlaces;
    private final boolean marksTargets;
    private final boolean isOfOneEnd;
    private final byte[] appends;
    private long turns;
    private final KeptRow row = new KeptRow();
    private final KeptRow older = new KeptRow();
    private final MovedCopies moved = new MovedCopies();
    private double weight;
    private long timestamp;
    private long key;

    private StoredEdges(AdjacencyStore store, boolean hasPlaces, boolean marksTargets, int counts) {
        this(store, hasPlaces, marksTargets, false, counts);
    }

    private StoredEdges(AdjacencyStore store, boolean hasPlaces, boolean marksTargets, boolean isOfOneEnd, int counts) {
        this.isOfOneEnd = isOfOneEnd;
        this.store = store;
        this.hasPlaces = hasPlaces;
        this.marksTargets = marksTargets;
        appends = new byte[Integer.highestOneBit(counts)];
    }

    /**
     * The edges of an edge partitioning.
     *
     * @param counts see {@link #COUNTS}, a byte each; 0 to read each edge that may have copies
     */
    public static StoredEdges ofEdges(AdjacencyStore store, int counts) {
        return new StoredEdges(store, true, false, counts);
    }

    /** The edges of an edge partitioning, found by both of their ends; the parameters are those of {@link #ofEdges}. */
    public static StoredEdges ofEdgesByBothEnds(AdjacencyStore store, int counts) {
        return new StoredEdges(store, true, true, counts);
    }

    /** The edges of a vertex partitioning; the parameters are those of {@link #ofEdges}. */
    public static StoredEdges ofVertices(AdjacencyStore store, int counts) {
        return new StoredEdges(store, false, false, counts);
    }

    /**
     * The edges of a vertex partitioning at one of their ends, those of the other one being elsewhere: an edge has one
     * row, and each copy a {@link Place} or {@link EdgeBatch#NO_PLACE}. The parameters are those of {@link #ofEdges}.
     */
    public static StoredEdges ofOneEnd(AdjacencyStore store, int counts) {
        return new StoredEdges(store, true, false, true, counts);
    }

    @Override
    public boolean hasPlaces() {
        return hasPlaces;
    }

    @Override
    public void add(long source, long target, int partition, double weight, long timestamp, long key, boolean isNew) {
        if (isNew || !isTurn(source, target) || !read(source, target)) {
            row.clear();
            row.add(partition, weight, timestamp, key);
            append(source, target, row.toBytes());
        } else {
            row.add(partition, weight, timestamp, key);
            divide(source, target);
            write(source, target);
            if (marksTargets && source != target) {
                store.write(target, source, false, 0, MARK); // instead of one for each copy
            }
        }
    }

    /** Counts an edge that may have copies; returns whether its row is to be read. */
    private boolean isTurn(long source, long target) {
        if (appends.length == 0) {
            return true;
        }
        int at = (int) Hashing.mix64(source, target) & appends.length - 1;
        if (++appends[at] != 0) { // of one byte
            return false;
        }
        // By chance, so that of edges with the same count that come in turn it is not always the same one.
        appends[at] = (byte) (Hashing.mix64(turns++) & APPENDS / 2 - 1);
        return true;
    }

    @Override
    public int remove(long source, long target, long key) {
        if (!read(source, target)) {
            return NO_EDGE;
        }
        moved.forget(source, target);
        divideAndWrite(source, target);
        int place = remove(source, target, key, false);
        return place == NO_EDGE && key != EdgeBatch.NO_KEY ? remove(source, target, key, true) : place;
    }

    private int remove(long source, long target, long key, boolean withoutKey) {
        int end = row.firstRow() + row.rows();
        for (int number = row.firstRow(); row.rows() > 0 && number < end; number++) {
            readOlder(source, target, number);
            int i = withoutKey ? older.findWithoutKey() : older.findKey(key);
            if (i >= 0) {
                int place = remove(older, i);
                if (older.size() > 0) {
                    writeOlder(source, target, number);
                } else {
                    removeRow(source, target, number);
                }
                return place;
            }
        }
        int i = withoutKey ? row.findWithoutKey() : row.findKey(key);
        if (i < 0) {
            return NO_EDGE;
        }
        int place = remove(row, i);
        write(source, target);
        return place;
    }

    /** Removes a row without copies; the rows before it move up, so that their numbers stay consecutive. */
    private void removeRow(long source, long target, int number) {
        for (int at = number; at > row.firstRow(); at--) {
            readOlder(source, target, at - 1);
            writeOlder(source, target, at);
        }
        write(source, target, row.firstRow(), null);
        row.removeFirstRow();
        write(source, target);
    }

    private int remove(KeptRow from, int i) {
        int place = from.place(i);
        take(from, i);
        from.remove(i, 1);
        return place;
    }

    @Override
    public boolean move(long source, long target, int from, int to) {
        if (!read(source, target)) {
            return false;
        }
        divideAndWrite(source, target);
        int end = row.firstRow() + row.rows();
        int number = Math.max(row.firstRow(), moved.firstRow(source, target, from));
        for (; row.rows() > 0 && number < end; number++) {
            readOlder(source, target, number);
            if (move(older, from, to)) {
                writeOlder(source, target, number);
                moved.remember(source, target, from, number);
                return true;
            }
        }
        moved.remember(source, target, from, row.rows() == 0 ? 0 : end);
        if (!move(row, from, to)) {
            return false;
        }
        write(source, target);
        return true;
    }

    /** Adds the rows under their targets of the edges that lead from some vertices, which were kept without these. */
    public void markTargets(long[] sources) {
        EdgeBatch unmarked = new EdgeBatch();
        for (long vertex : sources) {
            store.forEach(vertex, (source, target, isOutgoing, bytes) -> {
                if (isOutgoing && source != target) {
                    unmarked.add(source, target);
                }
            });
            if (unmarked.size() >= MARKED_AT_ONCE) {
                mark(unmarked);
            }
        }
        mark(unmarked);
    }

    private void mark(EdgeBatch unmarked) {
        for (int i = 0; i < unmarked.size(); i++) {
            store.write(unmarked.target(i), unmarked.source(i), false, 0, MARK);
        }
        unmarked.clear();
    }

    /** Gives all copies of an edge a place; does nothing if there is no such edge. */
    public void setPlace(long source, long target, int place) {
        if (!read(source, target)) {
            return;
        }
        moved.forget(source, target);
        divideAndWrite(source, target);
        for (int i = 0; i < row.rows(); i++) {
            readOlder(source, target, row.firstRow() + i);
            if (setPlace(older, place)) {
                writeOlder(source, target, row.firstRow() + i);
            }
        }
        if (setPlace(row, place)) {
            write(source, target);
        }
    }

    private static boolean setPlace(KeptRow copies, int place) {
        boolean isChanged = false;
        for (int i = 0; i < copies.size(); i++) {
            isChanged |= copies.place(i) != place;
            copies.setPlace(i, place);
        }
        return isChanged;
    }

    private boolean move(KeptRow copies, int from, int to) {
        int i = copies.find(from);
        if (i < 0) {
            return false;
        }
        take(copies, i);
        copies.setPlace(i, to);
        return true;
    }

    private void take(KeptRow copies, int i) {
        weight = copies.weight(i);
        timestamp = copies.timestamp(i);
        key = copies.key(i);
    }

    @Override
    public double weight() {
        return weight;
    }

    @Override
    public long timestamp() {
        return timestamp;
    }

    @Override
    public long key() {
        return key;
    }

    @Override
    public void outgoing(long vertex, EdgeBatch into) {
        store.forEach(vertex, (source, target, isOutgoing, bytes) -> {
            if (isOutgoing) {
                append(source, target, bytes, into);
            }
        });
    }

    @Override
    public void incident(long vertex, int limit, EdgeBatch into) {
        if (hasPlaces && !marksTargets) {
            throw new UnsupportedOperationException(
                    "edges are not found by their targets; submit with --remove-vertices");
        }
        int end = into.size() + limit;
        store.forEach(vertex, (at, neighbour, isOutgoing, bytes) -> {
            if (into.size() < end) {
                into.add(isOutgoing ? at : neighbour, isOutgoing ? neighbour : at);
            }
        });
    }

    @Override
    public void forEach(long vertex, EdgeBatch chunk, Runnable isFull) {
        store.forEach(vertex, (at, neighbour, isOutgoing, bytes) -> {
            append(isOutgoing ? at : neighbour, isOutgoing ? neighbour : at, bytes, chunk);
            if (chunk.size() >= EdgeBatch.DEFAULT_CAPACITY) {
                isFull.run();
            }
        });
        isFull.run();
    }

    /**
     * Appends the oldest copies of an edge with their places, those of a partition as its number.
     *
     * @param key of the copies; {@link EdgeBatch#NO_KEY} for any
     * @param limit copies at the most
     */
    public void oldest(long source, long target, long key, int limit, EdgeBatch into) {
        if (!read(source, target)) {
            return;
        }
        int end = into.size() + limit;
        for (int i = 0; i < row.rows() && into.size() < end; i++) {
            readOlder(source, target, row.firstRow() + i);
            appendUntil(end, source, target, key, older, into);
        }
        appendUntil(end, source, target, key, row, into);
    }

    /**
     * Appends the oldest copies of an edge that are on a partition, those that {@link #move} takes next.
     *
     * @param limit copies at the most, at least 1
     */
    public void oldestOn(long source, long target, int partition, int limit, EdgeBatch into) {
        if (!read(source, target)) {
            return;
        }
        int end = into.size() + limit;
        int last = row.firstRow() + row.rows();
        int number = Math.max(row.firstRow(), moved.firstRow(source, target, partition));
        for (; row.rows() > 0 && number < last && into.size() < end; number++) {
            readOlder(source, target, number);
            appendOn(partition, end, source, target, older, into);
        }
        appendOn(partition, end, source, target, row, into);
    }

    private static void appendOn(int partition, int end, long source, long target, KeptRow copies, EdgeBatch into) {
        for (int i = 0; i < copies.size() && into.size() < end; i++) {
            if (copies.place(i) == partition) {
                into.add(source, target, copies.weight(i), copies.timestamp(i), copies.key(i));
                into.setPlace(into.size() - 1, partition);
            }
        }
    }

    private static void appendUntil(int end, long source, long target, long key, KeptRow copies, EdgeBatch into) {
        for (int i = 0; i < copies.size() && into.size() < end; i++) {
            if (key != EdgeBatch.NO_KEY && copies.key(i) != key) {
                continue;
            }
            into.add(source, target, copies.weight(i), copies.timestamp(i), copies.key(i));
            if (copies.place(i) != EdgeBatch.NO_PLACE) {
                into.setPlace(into.size() - 1, copies.place(i));
            }
        }
    }

    private void append(long source, long target, byte[] bytes, EdgeBatch into) {
        row.read(bytes);
        for (int i = 0; i < row.size(); i++) {
            into.add(source, target, row.weight(i), row.timestamp(i), row.key(i));
            if (isOfOneEnd && row.place(i) != EdgeBatch.NO_PLACE) {
                into.setPlace(into.size() - 1, row.place(i));
            } else if (hasPlaces && !isOfOneEnd) {
                into.setPlace(into.size() - 1, Place.of(row.place(i)));
            }
        }
    }

    /** Moves all copies of row 0 but the latest to rows of their own, if there are too many. */
    private void divide(long source, long target) {
        int from = 0;
        for (; row.size() - from > ROW_COPIES; from += ROW_COPIES) {
            write(source, target, row.addRow(), row.toBytes(from, from + ROW_COPIES));
        }
        row.removeFirst(from);
    }

    /** Only a row of an earlier build is that long. */
    private void divideAndWrite(long source, long target) {
        if (row.size() > ROW_COPIES) {
            divide(source, target);
            write(source, target);
        }
    }

    private boolean read(long source, long target) {
        byte[] bytes = store.read(source, target, true, 0);
        if (bytes == null) {
            return false;
        }
        row.read(bytes);
        return true;
    }

    private void readOlder(long source, long target, int number) {
        byte[] bytes = store.read(source, target, true, number);
        if (bytes == null) {
            throw new IllegalStateException("row %d of the kept copies of edge (%d, %d) is missing; %s"
                    .formatted(number, source, target, "the checkpoint is damaged, so go on from another one"));
        }
        older.read(bytes);
    }

    private void writeOlder(long source, long target, int number) {
        write(source, target, number, older.toBytes());
    }

    private void write(long source, long target) {
        boolean isGone = row.size() == 0 && row.rows() == 0;
        write(source, target, 0, isGone ? null : row.toBytes());
        if (isGone && marksTargets && source != target) {
            store.write(target, source, false, 0, null);
        }
    }

    /** Appends a copy to row 0. */
    private void append(long source, long target, byte[] bytes) {
        store.append(source, target, true, 0, bytes);
        if (source != target && (marksTargets || !hasPlaces)) {
            store.append(target, source, false, 0, marksTargets ? MARK : bytes);
        }
    }

    private void write(long source, long target, int number, byte @Nullable [] bytes) {
        store.write(source, target, true, number, bytes);
        if (!hasPlaces && source != target) {
            store.write(target, source, false, number, bytes);
        }
    }
}
