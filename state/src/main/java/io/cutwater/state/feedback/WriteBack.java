package io.cutwater.state.feedback;

import io.cutwater.state.feedback.bucket.RemoteEdges;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.store.VertexStore;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The cache of an assigner that is the only one and sends whole records back to the tables: the vertices of a rule that
 * keeps state beside the tables, or that buffers edges, change in more than their replicas.
 *
 * <p>It gathers the records that leave the cache, or that are written ahead, until {@link ViewJoin} sends them. It
 * holds the latest bytes of each vertex until its table has confirmed them, because an answer may be older. A vertex of
 * a buffered edge stays in the cache, because the edge is placed between batches.
 *
 * <p>If edges are kept, a vertex that has lost its last edge leaves the cache by itself, and its table is told that it
 * is gone. The batches go on as if it were here, so it may come back, with an empty record.
 */
public final class WriteBack implements VertexStore, UpdateSender.Changes {
    private static final int MIN_SLOTS = 64;
    private static final long[] NOTHING = {};

    private final VertexTable cache;
    private final @Nullable RemoteEdges edges;
    /** Vertices that are here for the batches, and may be in the cache or have left it by themselves. */
    private final VertexSet gone = new VertexSet();

    private boolean isEvicting;
    private final LeavingVertices leaving = new LeavingVertices();
    /** Vertices of edges that are about to move; see {@link #hold}. */
    private VertexSet held = new VertexSet();

    private long[] gatheredIds = new long[MIN_SLOTS];
    private byte[] @Nullable [] gathered = new byte[MIN_SLOTS][];
    private int gatheredCount;

    /** Vertices with bytes that are not confirmed, with the number of records that were written of them. */
    private final VertexSet unconfirmed = new VertexSet();

    private int[] written = new int[MIN_SLOTS];
    private byte[] @Nullable [] latest = new byte[MIN_SLOTS][];

    /** Creates the cache of a job that keeps no edges; see the other constructor. */
    public WriteBack(VertexLayout layout, VertexTable.Listener listener) {
        this(layout, listener, null);
    }

    /**
     * Creates an empty cache. It grows: what leaves it is decided by the batches, see {@link NumberedBatch#evicted}.
     *
     * @param listener is told of a vertex whose replicas or degree changed before its record is sent
     * @param edges the kept edges; null for none
     */
    public WriteBack(VertexLayout layout, VertexTable.Listener listener, @Nullable RemoteEdges edges) {
        this.edges = edges;
        cache = new VertexTable(layout, this, Long.MAX_VALUE, 0, listener);
    }

    /** Returns the table over which the engine places edges. */
    public VertexTable cache() {
        return cache;
    }

    @Override
    public byte @Nullable [] read(long vertex) {
        return null; // else it would be in the cache
    }

    @Override
    public void created(long vertex) {
        if (gone.find(vertex) == SlotIndex.NO_SLOT && !leaving.has(vertex)) {
            throw new IllegalStateException(
                    "vertex %d is not in the cache and was not asked for; please report this as a defect"
                            .formatted(vertex));
        }
    }

    @Override
    public void write(long[] vertices, byte[] @Nullable [] values, int count) {
        for (int i = 0; i < count; i++) {
            byte[] value = values[i];
            if (value == null && edges == null) {
                throw new IllegalStateException(
                        "vertex %d was removed, and no edges are kept; please report this as a defect"
                                .formatted(vertices[i]));
            }
            if (value == null && !isEvicting && !leaving.has(vertices[i])) {
                gone.addIfAbsent(vertices[i]);
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
        byte[] @Nullable [] records = Objects.requireNonNull(update.records(), "an update of another algorithm");
        for (int i = 0; i < records.length; i++) {
            await(update.added().vertex(i), records[i]);
        }
        EdgeBatch changed = update.edges();
        if (changed != null) {
            Objects.requireNonNull(edges, "an update of a job that keeps edges").await(changed, update.bucket());
        }
    }

    /** Adds bytes that a table has not confirmed. */
    private void await(long vertex, byte @Nullable [] value) {
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
        EdgeBatch changed = update.edges();
        if (changed != null && edges != null) {
            edges.confirm(changed, update.bucket());
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
        if (leaving.remove(vertex)) { // it has not left yet
            if (!RecordExchange.has(cache, vertex)) {
                gone.addIfAbsent(vertex);
            }
            return;
        }
        int newer = unconfirmed.find(vertex);
        if (newer == SlotIndex.NO_SLOT) {
            RecordExchange.load(cache, views, at);
            return;
        }
        byte[] bytes = latest[newer];
        if (bytes == null) {
            gone.addIfAbsent(vertex);
        } else {
            RecordExchange.load(cache, vertex, bytes);
        }
    }

    @Override
    public void hear(long[] views, int at) {
        throw new IllegalStateException("the only assigner hears of others; please report this as a defect");
    }

    /**
     * Holds a vertex in the cache until {@link #releaseHeld}, because an edge at it is about to move between batches.
     *
     * @return whether it is not in the cache, so that its record must be asked for
     */
    boolean hold(long vertex) {
        held.addIfAbsent(vertex);
        return !RecordExchange.has(cache, vertex) && gone.find(vertex) == SlotIndex.NO_SLOT;
    }

    /** Loads the record of a held vertex as {@link #load} does, unless a batch has brought it, or it is gone. */
    void loadHeld(long[] views, int at) {
        long vertex = views[at];
        boolean isHere = RecordExchange.has(cache, vertex) || gone.find(vertex) != SlotIndex.NO_SLOT;
        if (isHere || held.find(vertex) == SlotIndex.NO_SLOT) {
            return;
        }
        int newer = unconfirmed.find(vertex);
        if (newer == SlotIndex.NO_SLOT) {
            RecordExchange.load(cache, views, at);
        } else {
            byte[] bytes = latest[newer];
            if (bytes == null) {
                return;
            }
            RecordExchange.load(cache, vertex, bytes);
        }
        leaving.addIfAbsent(vertex);
    }

    /** Lets the vertices go that only moves needed. */
    void releaseHeld(ViewJoin.Output output) {
        held = new VertexSet();
        evict(NOTHING, output, List.of());
    }

    /**
     * Restores a vertex of a buffered edge, which leaves the cache when it has none any more and was not asked for.
     *
     * @param stored bytes as {@link #encode} gives them
     */
    public void restore(long vertex, byte[] stored) {
        RecordExchange.load(cache, vertex, stored);
        leaving.addIfAbsent(vertex);
    }

    /** Returns the bytes of a vertex of a buffered edge, for {@link #restore}. */
    public byte[] encode(long vertex) {
        cache.slot(vertex); // for one that has left by itself
        return RecordExchange.encode(cache, vertex);
    }

    @Override
    public void evict(long[] evicted, ViewJoin.Output output, Iterable<VertexUpdate> updates) {
        for (long vertex : evicted) {
            int left = gone.find(vertex);
            if (left != SlotIndex.NO_SLOT) {
                gone.remove(left);
            }
        }
        leaving.addAll(evicted);
        long[] unused = leaving.takeUnused(output, held);
        int count = 0;
        for (long vertex : unused) {
            if (RecordExchange.has(cache, vertex)) {
                unused[count++] = vertex;
            }
        }
        isEvicting = true;
        RecordExchange.evict(cache, unused, count);
        isEvicting = false;
    }

    @Override
    public @Nullable RemoteEdges edges() {
        return edges;
    }

    @Override
    public void layOut() {
        // Unconfirmed records are bytes, which do not depend on the number of partitions.
    }

    @Override
    public boolean areEdgesShared() {
        return false;
    }

    @Override
    public boolean isOwn(VertexUpdate update) {
        return update.records() != null;
    }

    /**
     * Loads a record of a vertex of a buffered edge, or of one that has changed after the last checkpoint of several
     * assigners: it leaves the cache when nothing needs it, and is published then.
     */
    void loadRestored(long[] views, int at) {
        int slot = RecordExchange.load(cache, views, at);
        RecordExchange.publishAgain(cache, slot);
        if (edges != null) {
            RecordExchange.forgetIfEmpty(cache, slot);
        }
        leaving.addIfAbsent(views[at]);
    }

    @Override
    public boolean areSentBefore(long[] evicted) {
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
        byte[] record = gathered[i];
        return record == null ? 0 : record.length;
    }

    @Override
    public VertexUpdate update(VertexUpdate header, int[] gatheredAt, int from, int to) {
        VertexBatch vertices = new VertexBatch(to - from);
        byte[] @Nullable [] records = new byte[to - from][];
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
}
