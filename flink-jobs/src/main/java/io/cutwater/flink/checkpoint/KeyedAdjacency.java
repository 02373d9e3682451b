package io.cutwater.flink.checkpoint;

import io.cutwater.state.store.AdjacencyStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.jspecify.annotations.Nullable;

/**
 * Kept edges in Flink's keyed state, as {@link AdjacencyLists}.
 *
 * <p>Written rows gather in memory and go to the backend many at a time, in the order of its keys, so that those of a
 * vertex are one write; {@link #flush} writes the rest before a checkpoint. With a {@link StateThread} they are written
 * while others gather. All rows of a vertex are read from the backend and from those that gather, and stay in a
 * {@link AdjacencyCache}.
 */
public final class KeyedAdjacency implements AdjacencyStore {
    /** Rows that gather: about 50 bytes of memory each. */
    private static final int PENDING = 1 << 19;

    private static final int PENDING_BYTES = 1 << 24;
    private static final int FIRST_PENDING = 1 << 10;

    /** Rows that are written before others may read or write something. */
    private static final int ROWS_AT_A_TIME = 1 << 12;

    /**
     * Rows of a vertex that are shown from memory, and may stay there; those of one with more are shown list by list.
     */
    private static final int MOST_CACHED = 1 << 13;

    private final AdjacencyLists lists;
    private final AdjacencyCache cache;
    private final RowChunkReader in = new RowChunkReader();
    private final RowChunkWriter out = new RowChunkWriter();
    private final @Nullable StateThread thread;
    private PendingRows pending;
    private PendingRows other; // empty, or being written by the thread
    private Future<?> writing = CompletableFuture.completedFuture(null);
    private boolean isShowing;

    private KeyedAdjacency(AdjacencyLists lists, VertexBuckets buckets, @Nullable StateThread thread, long cacheBytes) {
        this.lists = lists;
        cache = new AdjacencyCache(cacheBytes);
        this.thread = thread;
        pending = new PendingRows(buckets, FIRST_PENDING);
        other = new PendingRows(buckets, FIRST_PENDING);
    }

    /**
     * Edges that an earlier build kept in the backend are written again, in the format of this build.
     *
     * @param currentKey sets the key of the next access to the backend
     */
    public static KeyedAdjacency over(KeyedStateBackend<Integer> backend, VertexBuckets buckets, IntConsumer currentKey)
            throws Exception {
        return over(backend, buckets, currentKey, null, 0);
    }

    /**
     * Like the other method.
     *
     * @param thread writes beside the caller; null for none
     * @param cacheBytes memory for rows of vertices that were read last, 0 for none
     */
    public static KeyedAdjacency over(
            KeyedStateBackend<Integer> backend,
            VertexBuckets buckets,
            IntConsumer currentKey,
            @Nullable StateThread thread,
            long cacheBytes)
            throws Exception {
        // Who is shown the edges of a vertex may have begun something.
        IntConsumer ownKey = thread == null ? currentKey : thread.exclusive(currentKey);
        KeyedAdjacency adjacency = new KeyedAdjacency(
                new AdjacencyLists(SliceLists.over(backend, buckets, ownKey)), buckets, thread, cacheBytes);
        SingleRows.moveTo(adjacency, backend, buckets, ownKey);
        return adjacency;
    }

    @Override
    public byte @Nullable [] read(long vertex, long neighbour, boolean isOutgoing, int number) {
        int position = pending.find(vertex, neighbour, isOutgoing, number);
        if (position >= 0 && pending.isWhole(position)) {
            return pending.row(position);
        }
        byte[] stored = readStored(vertex, neighbour, isOutgoing, number);
        byte[] appended = position < 0 ? null : pending.row(position);
        if (stored == null && appended != null) {
            pending.setWhole(position);
        }
        return AdjacencyStore.concat(stored, appended);
    }

    private byte @Nullable [] readStored(long vertex, long neighbour, boolean isOutgoing, int number) {
        takeState();
        try {
            return lists.read(vertex, neighbour, isOutgoing, number);
        } catch (Exception e) {
            throw new IllegalStateException(
                    "cannot read the edges between %d and %d from the state backend".formatted(vertex, neighbour), e);
        }
    }

    @Override
    public void write(long vertex, long neighbour, boolean isOutgoing, int number, byte @Nullable [] row) {
        makeRoom();
        cache.remove(vertex);
        pending.put(vertex, neighbour, isOutgoing, number, row);
    }

    @Override
    public void append(long vertex, long neighbour, boolean isOutgoing, int number, byte[] bytes) {
        makeRoom();
        cache.append(vertex, neighbour, isOutgoing, number, bytes);
        pending.append(vertex, neighbour, isOutgoing, number, bytes);
    }

    /** Deletes the rows of a vertex that say edges that lead to it. */
    public void deleteIncoming(long vertex) {
        flush();
        takeState();
        cache.remove(vertex);
        try {
            lists.deleteIncoming(vertex);
        } catch (Exception e) {
            throw new IllegalStateException(
                    "cannot delete edges to vertex %d from the state backend; is its disk full?".formatted(vertex), e);
        }
    }

    private void makeRoom() {
        // While rows are being iterated the backend must not change.
        if ((pending.size() >= PENDING || pending.byteCount() >= PENDING_BYTES) && !isShowing) {
            flush();
        }
    }

    /** Waits until the state belongs to the caller. */
    private void takeState() {
        if (thread != null) {
            thread.await();
        }
        lists.deselect();
    }

    /** Writes the rows that the backend does not have yet, or gives them to the thread. */
    public void flush() {
        if (pending.size() == 0) {
            return;
        }
        StateThread.await(writing);
        PendingRows full = pending;
        pending = other;
        other = full;
        if (thread == null) {
            write(full);
        } else {
            writing = thread.execute(() -> write(full));
        }
    }

    private void write(PendingRows rows) {
        lists.deselect();
        try {
            int[] order = rows.inStoreOrder();
            for (int from = 0, sinceOthers = 0; from < order.length; ) {
                int to = from + 1;
                while (to < order.length && rows.vertex(order[to]) == rows.vertex(order[from])) {
                    to++;
                }
                lists.write(rows, order, from, to);
                sinceOthers += to - from;
                if (sinceOthers >= ROWS_AT_A_TIME && thread != null) {
                    thread.runWaiting();
                    lists.deselect();
                    sinceOthers = 0;
                }
                from = to;
            }
        } catch (Exception e) {
            throw new IllegalStateException(
                    "cannot write %d rows of edges to the state backend; is its disk full?".formatted(rows.size()), e);
        }
        rows.clear();
    }

    @Override
    public void forEach(long vertex, RowConsumer consumer) {
        if (isShowing) {
            throw new IllegalStateException("the edges of a vertex are shown already");
        }
        isShowing = true;
        try {
            if (cache.read(vertex, in) || gather(vertex)) {
                while (in.next()) {
                    consumer.accept(vertex, in.neighbour(), in.isOutgoing(), in.row());
                }
            } else {
                showLists(vertex, consumer);
            }
        } catch (Exception e) {
            throw new IllegalStateException(
                    "cannot read the edges of vertex %d from the state backend".formatted(vertex), e);
        } finally {
            isShowing = false;
        }
    }

    /**
     * Begins to read the rows of a vertex from the backend and those that it does not have yet, unless there are many.
     */
    private boolean gather(long vertex) throws Exception {
        if (pending.replacesAny()) {
            flush();
        }
        takeState();
        out.start(vertex);
        if (!lists.copy(vertex, MOST_CACHED, out)) {
            return false;
        }
        for (int position : pending.rowsOf(vertex)) {
            if (!pending.isDeleted(position)) { // joined to another one
                pending.copyTo(out, position);
            }
        }
        byte[] chunk = out.toBytes();
        in.start(vertex, chunk, chunk.length);
        if (out.rows() <= MOST_CACHED) {
            cache.add(vertex, chunk, out.lastNeighbour());
        }
        return true;
    }

    private void showLists(long vertex, RowConsumer consumer) throws Exception {
        flush();
        takeState();
        lists.forEach(vertex, (neighbour, isOutgoing, row) -> consumer.accept(vertex, neighbour, isOutgoing, row));
    }
}
