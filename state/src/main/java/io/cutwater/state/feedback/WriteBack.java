package io.cutwater.state.feedback;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.store.VertexStore;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The cache of an assigner that is the only one and sends whole records back to the tables: the vertices of a rule that
 * keeps state beside the tables, or that buffers edges, change in more than their replicas.
 *
 * <p>It gathers the records that leave the cache, or that are written ahead, until {@link ViewJoin} sends them. It
 * holds the latest bytes of each vertex until its table has confirmed them, because an answer may be older. A vertex of
 * a buffered edge stays in the cache, because the edge is placed between batches.
 */
public final class WriteBack implements VertexStore, ViewJoin.Changes {
    private static final int MIN_SLOTS = 64;

    private final VertexTable cache;
    private final VertexSet leaving = new VertexSet();
    private long[] gatheredIds = new long[MIN_SLOTS];
    private byte[][] gathered = new byte[MIN_SLOTS][];
    private int gatheredCount;

    /** Vertices with bytes that are not confirmed, with the number of records that were written of them. */
    private final VertexSet unconfirmed = new VertexSet();

    private int[] written = new int[MIN_SLOTS];
    private byte[][] latest = new byte[MIN_SLOTS][];

    /**
     * Creates an empty cache. It grows: what leaves it is decided by the batches, see {@link NumberedBatch#evicted}.
     *
     * @param listener is told of a vertex whose replicas or degree changed before its record is sent
     */
    public WriteBack(VertexLayout layout, VertexTable.Listener listener) {
        cache = new VertexTable(layout, this, Long.MAX_VALUE, 0, listener);
    }

    /** Returns the table over which the engine places edges. */
    public VertexTable cache() {
        return cache;
    }

    @Override
    public byte @Nullable [] read(long vertex) {
        throw new IllegalStateException(
                "vertex %d is not in the cache and was not asked for; please report this as a defect"
                        .formatted(vertex));
    }

    @Override
    public void write(long[] vertices, byte[] @Nullable [] values, int count) {
        for (int i = 0; i < count; i++) {
            byte[] value = values[i];
            if (value == null) {
                throw new IllegalStateException(
                        "vertex %d was removed, and no edges are kept; please report this as a defect"
                                .formatted(vertices[i]));
            }
            if (gatheredCount == gathered.length) {
                gatheredIds = Arrays.copyOf(gatheredIds, 2 * gatheredCount);
                gathered = Arrays.copyOf(gathered, 2 * gatheredCount);
            }
            gatheredIds[gatheredCount] = vertices[i];
            gathered[gatheredCount++] = value;
            await(vertices[i], value);
        }
    }

    @Override
    public void await(VertexUpdate update) {
        byte[][] records = Objects.requireNonNull(update.records(), "an update of another algorithm");
        for (int i = 0; i < records.length; i++) {
            await(update.added().vertex(i), records[i]);
        }
    }

    /** Adds bytes that a table has not confirmed. */
    private void await(long vertex, byte[] value) {
        int at = unconfirmed.find(vertex);
        if (at == SlotIndex.NO_SLOT) {
            at = unconfirmed.add(vertex);
            if (at == written.length) {
                written = Arrays.copyOf(written, 2 * at);
                latest = Arrays.copyOf(latest, 2 * at);
            }
            written[at] = 0;
        }
        written[at]++;
        latest[at] = value;
    }

    @Override
    public void confirm(VertexUpdate update) {
        for (int i = 0; i < update.added().size(); i++) {
            confirm(update.added().vertex(i));
        }
    }

    /** Takes down that a table has one of the records that were written of a vertex. */
    private void confirm(long vertex) {
        int at = unconfirmed.find(vertex);
        if (--written[at] == 0) {
            int last = unconfirmed.remove(at);
            written[at] = written[last];
            latest[at] = latest[last];
        }
    }

    @Override
    public void load(long[] views, int at) {
        long vertex = views[at];
        int waiting = leaving.find(vertex);
        if (waiting != SlotIndex.NO_SLOT) {
            leaving.remove(waiting); // it has not left yet
            return;
        }
        int newer = unconfirmed.find(vertex);
        if (newer == SlotIndex.NO_SLOT) {
            RecordExchange.load(cache, views, at);
        } else {
            RecordExchange.load(cache, vertex, latest[newer]);
        }
    }

    /**
     * Restores a vertex of a buffered edge, which leaves the cache when it has none any more and was not asked for.
     *
     * @param stored bytes as {@link #encode} gives them
     */
    public void restore(long vertex, byte[] stored) {
        RecordExchange.load(cache, vertex, stored);
        leaving.add(vertex);
    }

    /** Returns the bytes of a vertex in the cache, for {@link #restore}. */
    public byte[] encode(long vertex) {
        return RecordExchange.encode(cache, vertex);
    }

    @Override
    public void evict(long[] evicted, ViewJoin.Output output) {
        for (long vertex : evicted) {
            leaving.add(vertex);
        }
        // To read all buffered edges takes as long as there are many.
        if (leaving.size() == 0 || leaving.size() < output.bufferedCount()) {
            return;
        }
        VertexSet buffered = verticesOf(output.buffered());
        long[] gone = new long[leaving.size()];
        int count = 0;
        for (int i = leaving.size() - 1; i >= 0; i--) {
            long vertex = leaving.vertex(i);
            if (buffered.find(vertex) == SlotIndex.NO_SLOT) {
                gone[count++] = vertex;
                leaving.remove(i);
            }
        }
        RecordExchange.evict(cache, gone, count);
    }

    private static VertexSet verticesOf(EdgeBatch edges) {
        VertexSet vertices = new VertexSet();
        for (int i = 0; i < edges.size(); i++) {
            vertices.addIfAbsent(edges.source(i));
            vertices.addIfAbsent(edges.target(i));
        }
        return vertices;
    }

    /** Returns the distinct vertices of edges. */
    public static long[] distinctVertices(EdgeBatch edges) {
        return verticesOf(edges).toArray();
    }

    @Override
    public boolean areSentBeforeEviction() {
        return false;
    }

    @Override
    public void gatherAll() {
        cache.flush();
    }

    @Override
    public int gathered() {
        return gatheredCount;
    }

    @Override
    public long vertex(int i) {
        return gatheredIds[i];
    }

    @Override
    public int bytes(int i) {
        return gathered[i].length;
    }

    @Override
    public VertexUpdate update(VertexUpdate header, int[] gatheredAt, int from, int to) {
        VertexBatch vertices = new VertexBatch(to - from);
        byte[][] records = new byte[to - from][];
        for (int i = from; i < to; i++) {
            vertices.add(gatheredIds[gatheredAt[i]], 0, VertexTable.NO_MASTER);
            records[i - from] = gathered[gatheredAt[i]];
        }
        return header.with(vertices, records);
    }

    @Override
    public void clear() {
        Arrays.fill(gathered, 0, gatheredCount, null);
        gatheredCount = 0;
    }

    @Override
    public int unconfirmedVertices() {
        return unconfirmed.size();
    }

    /** A set of vertices, which stand densely in an array. */
    private static final class VertexSet {
        private final SlotIndex index = new SlotIndex(1, MIN_SLOTS);
        private long[] vertices = new long[MIN_SLOTS];
        private int size;

        int find(long vertex) {
            return index.find(vertex, vertices);
        }

        /** Adds a vertex that is not there; returns where it stands. */
        int add(long vertex) {
            if (size == vertices.length) {
                vertices = Arrays.copyOf(vertices, 2 * size);
                index.grow(2 * size, size, vertices);
            }
            vertices[size] = vertex;
            index.insert(vertex, size);
            return size++;
        }

        void addIfAbsent(long vertex) {
            if (find(vertex) == SlotIndex.NO_SLOT) {
                add(vertex);
            }
        }

        /** Removes a vertex; the last one takes its place. Returns where that stood. */
        int remove(int at) {
            int last = size - 1;
            long moved = vertices[last];
            index.remove(vertices[at], vertices);
            if (at != last) {
                index.remove(moved, vertices);
                vertices[at] = moved;
                index.insert(moved, at);
            }
            size = last;
            return last;
        }

        long vertex(int at) {
            return vertices[at];
        }

        int size() {
            return size;
        }

        long[] toArray() {
            return Arrays.copyOf(vertices, size);
        }
    }
}
