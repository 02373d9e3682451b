package io.cutwater.flink.checkpoint;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.store.AdjacencyStore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Rows of kept edges in {@link SliceLists}, whose elements are those of {@link RowChunkWriter}. New rows of a vertex
 * are appended as one element without reading the list, which RocksDB does with its merge operator; so are bytes that
 * are appended to a row, as another row with its key. A row that is replaced is deleted wherever parts of it are, and
 * appended.
 *
 * <p>So that no list is long, the rows of a vertex of high degree are in a tree of lists: slice 0 is the first list; on
 * level n, 1 to {@value #MAX_LEVEL}, a hash of the row chooses one of 64<sup>n</sup> slices, each of which refines one
 * of the level before. A list that is found to have more than {@value #MAX_ROWS} rows passes them on to the next level.
 * Where rows are only appended, every {@value #ROWS_PER_CHECK}th, chosen by chance, has the list looked at. Parts of a
 * row on a deeper level are older. The first list says how many rows are in others.
 */
final class AdjacencyLists {
    /** Rows of a list, beyond which they go to the next level. */
    static final int MAX_ROWS = 1024;

    /** So many new rows of a list go to the next level at once: there are enough for each slice. */
    static final int MANY_ROWS = 4096;

    static final int ROWS_PER_CHECK = 1 << 16;
    static final int MAX_LEVEL = 3;

    private static final int FANOUT = 64;
    private static final int FANOUT_BITS = 6;

    private final SliceLists lists;
    private final SplittableRandom chance = new SplittableRandom(1);
    private final RowChunkReader in = new RowChunkReader();
    private final RowChunkWriter out = new RowChunkWriter();
    private final RowChunkWriter first = new RowChunkWriter();
    private final RowChunkWriter[][] children = new RowChunkWriter[MAX_LEVEL + 1][];

    AdjacencyLists(SliceLists lists) {
        this.lists = lists;
    }

    /** See {@link SliceLists#deselect}. */
    void deselect() {
        lists.deselect();
    }

    /** Returns the slice of a row on a level from 1 on. */
    private static int slice(int level, long neighbour, boolean isOutgoing, int number) {
        int slices = 1 << FANOUT_BITS * level;
        long hash = Hashing.mix64((long) number << 1 | (isOutgoing ? 1 : 0), neighbour);
        return slices | (int) hash & slices - 1;
    }

    /** Returns the bytes of a row, null if there is none. */
    byte @Nullable [] read(long vertex, long neighbour, boolean isOutgoing, int number) throws Exception {
        in.start(vertex, lists.get(vertex, 0));
        byte[] row = in.find(neighbour, isOutgoing, number);
        int levels = in.level();
        for (int level = 1; level <= levels; level++) {
            in.start(vertex, lists.get(vertex, slice(level, neighbour, isOutgoing, number)));
            row = AdjacencyStore.concat(in.find(neighbour, isOutgoing, number), row);
        }
        return row;
    }

    /** Passes a copy of each row of a vertex to the consumer, who must not change the lists. */
    void forEach(long vertex, RowConsumer consumer) throws Exception {
        RowChunkReader rows = new RowChunkReader();
        rows.start(vertex, lists.get(vertex, 0));
        pass(rows, consumer);
        int levels = rows.level();
        for (int level = 1; level <= levels; level++) {
            int slices = 1 << FANOUT_BITS * level;
            for (int slice = slices; slice < 2 * slices; slice++) {
                deselect(); // the consumer may use the backend
                rows.start(vertex, lists.get(vertex, slice));
                pass(rows, consumer);
            }
        }
    }

    /**
     * Copies all rows of a vertex to a chunk, unless there are many.
     *
     * @param most rows that are copied if the vertex has some on deeper levels
     * @return whether they were copied
     */
    boolean copy(long vertex, int most, RowChunkWriter into) throws Exception {
        in.start(vertex, lists.get(vertex, 0));
        while (in.next()) {
            in.copyTo(into);
        }
        int levels = in.level();
        if (levels > 0 && into.rows() + in.deeperRows() > most) {
            return false;
        }
        for (int level = 1; level <= levels; level++) {
            int slices = 1 << FANOUT_BITS * level;
            for (int slice = slices; slice < 2 * slices; slice++) {
                in.start(vertex, lists.get(vertex, slice));
                while (in.next()) {
                    in.copyTo(into);
                }
            }
        }
        return true;
    }

    /** Receives a row of a vertex. */
    @FunctionalInterface
    interface RowConsumer {
        void accept(long neighbour, boolean isOutgoing, byte[] row);
    }

    private static void pass(RowChunkReader rows, RowConsumer consumer) {
        while (rows.next()) {
            consumer.accept(rows.neighbour(), rows.isOutgoing(), rows.row());
        }
    }

    /**
     * Writes the pending rows of a vertex.
     *
     * @param order positions of pending rows, of which those from {@code from} to before {@code to} are of the vertex
     */
    void write(PendingRows pending, int[] order, int from, int to) throws Exception {
        boolean onlyAppends = true;
        for (int i = from; i < to && onlyAppends; i++) {
            onlyAppends = !pending.replaces(order[i]);
        }
        if (onlyAppends) {
            append(pending, order, from, to);
        } else {
            rewrite(pending, order, from, to);
        }
    }

    private void append(PendingRows pending, int[] order, int from, int to) throws Exception {
        long vertex = pending.vertex(order[from]);
        first.start(vertex);
        if (to - from >= MANY_ROWS) { // they go to the next level, behind older ones
            readFirst(vertex);
            copyPending(pending, order, from, to);
            writeFirst(vertex, in.level(), in.deeperRows());
            return;
        }
        copyPending(pending, order, from, to);
        if (first.rows() > 0) {
            lists.append(vertex, 0, first.toBytes());
            if (isChecked(first.rows())) {
                check(vertex);
            }
        }
    }

    /** Appends pending rows to {@code first}. */
    private void copyPending(PendingRows pending, int[] order, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!pending.isDeleted(order[i])) {
                pending.copyTo(first, order[i]);
            }
        }
    }

    /** Appends the first list of a vertex to {@code first}. */
    private void readFirst(long vertex) throws Exception {
        in.start(vertex, lists.get(vertex, 0));
        while (in.next()) {
            in.copyTo(first);
        }
    }

    private boolean isChecked(int rows) {
        return chance.nextInt(ROWS_PER_CHECK) < rows;
    }

    /** Makes one element of the first list of a vertex, or passes its rows on if there are too many. */
    private void check(long vertex) throws Exception {
        first.start(vertex);
        readFirst(vertex);
        writeFirst(vertex, in.level(), in.deeperRows());
    }

    /** Writes the rows in {@code first} as the first list of a vertex, or to the next level if they are too many. */
    private void writeFirst(long vertex, int deepest, long deeperRows) throws Exception {
        int level = deepest;
        long deeper = deeperRows;
        List<byte[]> list = new ArrayList<>();
        if (first.rows() > MAX_ROWS) {
            deeper += first.rows();
            level = Math.max(level, passOn(vertex, 1, List.of(first.toBytes())));
        } else if (first.rows() > 0) {
            list.add(first.toBytes());
        }
        if (deeper > 0) {
            list.add(RowChunkWriter.deeper(level, deeper));
        }
        lists.set(vertex, 0, list);
    }

    /** Appends rows to their slices on a level; returns the deepest level that some of them went to. */
    private int passOn(long vertex, int level, List<byte[]> rows) throws Exception {
        RowChunkWriter[] slices = children(level);
        int[] sliceOf = new int[FANOUT];
        RowChunkReader reader = new RowChunkReader();
        reader.start(vertex, rows);
        while (reader.next()) {
            int slice = slice(level, reader.neighbour(), reader.isOutgoing(), reader.number());
            // Rows of one slice of the level before differ in the highest bits only.
            int child = slice >>> FANOUT_BITS * (level - 1) & FANOUT - 1;
            if (sliceOf[child] == 0) {
                sliceOf[child] = slice;
                slices[child].start(vertex);
            }
            reader.copyTo(slices[child]);
        }
        int deepest = level;
        for (int child = 0; child < FANOUT; child++) {
            if (sliceOf[child] != 0) {
                byte[] chunk = slices[child].toBytes();
                deepest = Math.max(deepest, append(vertex, level, sliceOf[child], chunk, slices[child].rows()));
            }
        }
        return deepest;
    }

    private RowChunkWriter[] children(int level) {
        RowChunkWriter[] writers = children[level];
        if (writers == null) {
            writers = new RowChunkWriter[FANOUT];
            for (int i = 0; i < FANOUT; i++) {
                writers[i] = new RowChunkWriter();
            }
            children[level] = writers;
        }
        return writers;
    }

    /** Returns the deepest level that some of the rows went to. */
    private int append(long vertex, int level, int slice, byte[] chunk, int rows) throws Exception {
        if (rows >= MANY_ROWS && level < MAX_LEVEL) {
            List<byte[]> older = lists.get(vertex, slice);
            List<byte[]> all = new ArrayList<>(older == null ? List.of() : older);
            all.add(chunk);
            lists.set(vertex, slice, List.of());
            return passOn(vertex, level + 1, all);
        }
        lists.append(vertex, slice, chunk);
        if (!isChecked(rows)) {
            return level;
        }
        out.start(vertex);
        in.start(vertex, lists.get(vertex, slice));
        while (in.next()) {
            in.copyTo(out);
        }
        return writeSlice(vertex, level, slice);
    }

    /** Writes the rows in {@code out} as a slice, or to the next level; returns the deepest level of some of them. */
    private int writeSlice(long vertex, int level, int slice) throws Exception {
        byte[] chunk = out.toBytes();
        if (out.rows() > MAX_ROWS && level < MAX_LEVEL) {
            lists.set(vertex, slice, List.of());
            return passOn(vertex, level + 1, List.of(chunk));
        }
        lists.set(vertex, slice, out.rows() == 0 ? List.of() : List.of(chunk));
        return level;
    }

    /** Deletes the rows of a vertex that say edges that lead to it. */
    void deleteIncoming(long vertex) throws Exception {
        first.start(vertex);
        in.start(vertex, lists.get(vertex, 0));
        long deleted = copyOutgoing(first);
        int levels = in.level();
        long deeper = in.deeperRows();
        for (int level = 1; level <= levels; level++) {
            int slices = 1 << FANOUT_BITS * level;
            for (int slice = slices; slice < 2 * slices; slice++) {
                out.start(vertex);
                in.start(vertex, lists.get(vertex, slice));
                long ofSlice = copyOutgoing(out);
                if (ofSlice > 0) {
                    lists.set(vertex, slice, out.rows() == 0 ? List.of() : List.of(out.toBytes()));
                    deeper -= ofSlice;
                    deleted += ofSlice;
                }
            }
        }
        if (deleted > 0) {
            writeFirst(vertex, levels, deeper);
        }
    }

    /** Copies the rows of a list that say edges that lead from the vertex; returns how many others there are. */
    private long copyOutgoing(RowChunkWriter into) {
        long others = 0;
        while (in.next()) {
            if (in.isOutgoing()) {
                in.copyTo(into);
            } else {
                others++;
            }
        }
        return others;
    }

    /** Replaces and deletes rows of a vertex, and appends the others. */
    private void rewrite(PendingRows pending, int[] order, int from, int to) throws Exception {
        long vertex = pending.vertex(order[from]);
        first.start(vertex);
        copy(pending, vertex, 0, first);
        int deepest = in.level();
        long deeper = in.deeperRows();
        int levels = deepest;
        for (int level = 1; level <= levels; level++) {
            BitSet seen = new BitSet();
            for (int i = from; i < to; i++) {
                int at = order[i];
                if (!pending.replaces(at)) {
                    continue;
                }
                int slice = slice(level, pending.neighbour(at), pending.isOutgoing(at), pending.number(at));
                if (!seen.get(slice)) {
                    seen.set(slice);
                    out.start(vertex);
                    int deleted = copy(pending, vertex, slice, out);
                    if (deleted > 0) {
                        deeper -= deleted;
                        deepest = Math.max(deepest, writeSlice(vertex, level, slice));
                    }
                }
            }
        }
        copyPending(pending, order, from, to);
        writeFirst(vertex, deepest, deeper);
    }

    /** Copies a list without the rows that pending ones replace; returns how many these are. */
    private int copy(PendingRows pending, long vertex, int slice, RowChunkWriter into) throws Exception {
        int deleted = 0;
        in.start(vertex, lists.get(vertex, slice));
        while (in.next()) {
            int at = pending.find(vertex, in.neighbour(), in.isOutgoing(), in.number());
            if (at >= 0 && pending.replaces(at)) {
                deleted++;
            } else {
                in.copyTo(into);
            }
        }
        return deleted;
    }
}
