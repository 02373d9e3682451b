package io.cutwater.state.feedback;

import io.cutwater.state.feedback.bucket.RemoteEdges;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The changes of an assigner that sends no whole records: it gathers the new replicas of the vertices in the cache,
 * with their homes and counters as they are then, and the vertices that get another home. It knows those that the
 * tables have not confirmed, by vertex, so that the assigner reads its own writes (the overlay). A vertex stays in the
 * overlay as long as an unconfirmed update names it. What is confirmed of it in the meantime stays with it: replicas
 * are only ever added, so that they are in the views as well.
 *
 * <p>If there are neither hints nor kept edges, what a table tells of a vertex in the cache takes nothing back, so only
 * vertices that are not in the cache need the overlay: they enter it when they leave the cache, which few do.
 *
 * <p>A vertex of a buffered edge stays in the cache, because the edge is placed between batches.
 *
 * <p>{@code records} holds for each vertex of the overlay its id, the number of updates that name it with its master +
 * 1, its replica words, and home, counters and cluster as they were sent last.
 */
final class ReplicaChanges implements UpdateSender.Changes {
    private static final VertexSet NOTHING_HELD = new VertexSet();
    private static final int HEADER = 1;
    private static final int WORDS = 2;
    private static final int MASTER_BITS = 13;
    private static final long MASTER = (1L << MASTER_BITS) - 1;
    private static final long ONE_UPDATE = 1L << MASTER_BITS;
    private static final int MIN_SLOTS = 64;

    private final VertexTable cache;
    private final @Nullable RemoteEdges edges;
    private final ViewJoin.Output output;
    private final RecordExchange.NewReplicas gathered;
    private final int hintWords;
    private final boolean isOverlayComplete; // has vertices in the cache, too
    private int hintsAt;
    private int stride;
    private final LeavingVertices leaving = new LeavingVertices();
    private SlotIndex index;
    private long[] records;
    private int usedSlots;
    private int[] freeSlots = new int[MIN_SLOTS];
    private int freeCount;

    /**
     * @param cache a table without a store, over which the engine places edges; it is empty, or has records of vertices
     *     of buffered edges as they were when these were counted
     * @param edges null if none are kept
     * @param output has the buffered edges of the checkpoint. They are counted at ends that the cache has no record of;
     *     nothing else is known of these until a batch asks for them
     */
    ReplicaChanges(VertexTable cache, @Nullable RemoteEdges edges, ViewJoin.Output output) {
        this.cache = cache;
        this.edges = edges;
        this.output = output;
        if (edges != null) {
            edges.ownersIn(cache);
        }
        EdgeBatch buffered = output.placement().heldEdges();
        gathered = RecordExchange.log(cache);
        hintsAt = WORDS + cache.layout().replicaWords();
        hintWords = cache.layout().hintWords();
        isOverlayComplete = hintWords > 0 || edges != null;
        stride = hintsAt + hintWords;
        index = new SlotIndex(stride, MIN_SLOTS);
        records = new long[MIN_SLOTS * stride];
        VertexSet unknown = new VertexSet();
        for (int i = 0; i < buffered.size(); i++) {
            restore(buffered.source(i), unknown);
            restore(buffered.target(i), unknown);
        }
    }

    private void restore(long vertex, VertexSet unknown) {
        if (!RecordExchange.has(cache, vertex)) {
            unknown.add(vertex);
        }
        if (unknown.find(vertex) != SlotIndex.NO_SLOT) {
            cache.countEdge(cache.slot(vertex));
        }
        leaving.addIfAbsent(vertex);
    }

    /** Makes room in the cache for vertices of buffered edges, of which nothing else is known here. */
    void enter(VertexSet vertices) {
        for (int i = 0; i < vertices.size(); i++) {
            cache.slot(vertices.vertex(i));
            leaving.addIfAbsent(vertices.vertex(i));
        }
    }

    @Override
    public void load(long[] views, int at) {
        if (leaving.remove(views[at])) {
            hear(views, at); // it has not left yet
            return;
        }
        int slot = RecordExchange.load(cache, views, at);
        int own = unconfirmedVertices() == 0 ? VertexTable.NO_SLOT : index.find(views[at], records);
        if (own != VertexTable.NO_SLOT) {
            int base = own * stride;
            int master = (int) (records[base + HEADER] & MASTER) - 1;
            // The table has the owner of a vertex before an edge is placed by it, and may have given it another one.
            boolean isOwner = edges != null && !edges.hasPlaces();
            RecordExchange.unite(cache, slot, records, base + WORDS, isOwner ? VertexTable.NO_MASTER : master);
            if (hintWords > 0) {
                RecordExchange.setHints(cache, slot, records, base + hintsAt);
            }
            if (!isOverlayComplete) {
                remove(own);
            }
        }
    }

    /** The home is the one that the table has, unless it has not got the last one from here. */
    @Override
    public void hear(long[] views, int at) {
        long vertex = views[at];
        int slot = RecordExchange.find(cache, vertex);
        if (slot == VertexTable.NO_SLOT) {
            return;
        }
        boolean hadNoMaster = cache.master(slot) == VertexTable.NO_MASTER;
        int own = isOverlayComplete ? index.find(vertex, records) : VertexTable.NO_SLOT;
        if (edges != null) {
            RecordExchange.dropReplicas(cache, slot); // with edges go replicas
        }
        RecordExchange.merge(cache, slot, views, at, own == VertexTable.NO_SLOT);
        if (edges != null && own != VertexTable.NO_SLOT) {
            RecordExchange.unite(cache, slot, records, own * stride + WORDS, VertexTable.NO_MASTER);
        }
        if (hadNoMaster && cache.master(slot) != VertexTable.NO_MASTER) {
            output.mastered(vertex);
        }
    }

    /** Lays the overlay out as the cache is now; nothing is gathered, and no vertex has a replica on what is gone. */
    @Override
    public void layOut() {
        long[] before = records;
        int strideBefore = stride;
        int hintsBefore = hintsAt;
        hintsAt = WORDS + cache.layout().replicaWords();
        stride = hintsAt + hintWords;
        records = new long[before.length / strideBefore * stride];
        SlotIndex indexBefore = index;
        index = new SlotIndex(stride, before.length / strideBefore);
        for (int slot = 0; slot < usedSlots; slot++) {
            long vertex = before[slot * strideBefore];
            System.arraycopy(before, slot * strideBefore, records, slot * stride, Math.min(hintsBefore, hintsAt));
            System.arraycopy(before, slot * strideBefore + hintsBefore, records, slot * stride + hintsAt, hintWords);
            if (indexBefore.find(vertex, before) == slot) { // else the slot is free
                index.insert(vertex, slot);
            }
        }
    }

    /** Gathered changes name vertices by slots, so they must be sent before a slot gets another vertex. */
    @Override
    public void evict(long[] evicted, ViewJoin.Output into, Iterable<VertexUpdate> unconfirmed) {
        leaving.addAll(evicted);
        long[] left = leaving.takeUnused(into, NOTHING_HELD);
        for (long vertex : left) {
            RecordExchange.remove(cache, vertex);
        }
        if (!isOverlayComplete && left.length > 0) {
            VertexSet added = new VertexSet();
            for (long vertex : left) {
                int restored = index.find(vertex, records);
                if (restored != VertexTable.NO_SLOT) {
                    remove(restored);
                }
                added.add(vertex);
            }
            unconfirmed.forEach(update -> awaitVertices(update, added));
        }
    }

    @Override
    public @Nullable RemoteEdges edges() {
        return edges;
    }

    @Override
    public boolean areEdgesShared() {
        return edges != null;
    }

    @Override
    public boolean isOwn(VertexUpdate update) {
        return update.records() == null;
    }

    @Override
    public boolean areSentBefore(long[] evicted) {
        return evicted.length > 0 || leaving.size() > 0;
    }

    @Override
    public void gatherAll() {
        // Replicas are gathered as they come.
    }

    @Override
    public int gathered() {
        return gathered.size();
    }

    @Override
    public long vertex(int i) {
        return cache.vertex(gathered.slot(i));
    }

    @Override
    public int bytes(int i) {
        return 0;
    }

    @Override
    public VertexUpdate update(VertexUpdate header, int[] gatheredAt, int from, int to) {
        VertexBatch added = new VertexBatch(to - from);
        long[] hints = new long[hintWords * (to - from)];
        for (int i = from; i < to; i++) {
            int slot = gathered.slot(gatheredAt[i]);
            if (gathered.isProposal(gatheredAt[i])) {
                added.add(cache.vertex(slot), 0, VertexUpdate.proposal(gathered.proposed(gatheredAt[i])));
            } else {
                added.add(cache.vertex(slot), 0, cache.master(slot));
                if (gathered.partition(gatheredAt[i]) != RecordExchange.NewReplicas.NO_REPLICA) {
                    added.addReplica(gathered.partition(gatheredAt[i]));
                }
            }
            RecordExchange.copyHints(cache, slot, hints, hintWords * (i - from));
        }
        VertexUpdate update = header.withHints(added, hintWords == 0 ? null : hints);
        if (isOverlayComplete) {
            awaitVertices(update, null);
        }
        return update;
    }

    @Override
    public void clear() {
        gathered.clear();
    }

    @Override
    public void await(VertexUpdate update) {
        awaitVertices(update, null);
        EdgeBatch changed = update.edges();
        if (changed != null) {
            Objects.requireNonNull(edges, "an update of a job that keeps edges").await(changed, update.bucket());
        }
    }

    @Override
    public void forgetOwner(long vertex) {
        int slot = index.find(vertex, records);
        if (slot != VertexTable.NO_SLOT) {
            records[slot * stride + HEADER] &= ~MASTER;
            Arrays.fill(records, slot * stride + WORDS, slot * stride + hintsAt, 0);
        }
    }

    /** @param wanted the vertices that are meant; null for all */
    private void awaitVertices(VertexUpdate update, @Nullable VertexSet wanted) {
        VertexBatch added = update.added();
        int[] replicas = added.replicas();
        for (int i = 0; i < added.size(); i++) {
            if (VertexUpdate.isProposal(added, i)) {
                continue; // the table decides
            }
            if (wanted != null && wanted.find(added.vertex(i)) == SlotIndex.NO_SLOT) {
                continue;
            }
            int base = slot(added.vertex(i)) * stride;
            records[base + HEADER] += ONE_UPDATE;
            if ((records[base + HEADER] & MASTER) == 0) {
                records[base + HEADER] |= added.master(i) + 1L;
            }
            for (int r = added.replicasFrom(i); r < added.replicasFrom(i + 1); r++) {
                records[base + WORDS + (replicas[r] >>> 6)] |= 1L << replicas[r];
            }
            long[] hints = update.hints();
            if (hints != null) {
                System.arraycopy(hints, i * hintWords, records, base + hintsAt, hintWords);
            }
        }
    }

    private int slot(long vertex) {
        int slot = index.find(vertex, records);
        if (slot == VertexTable.NO_SLOT) {
            slot = freeCount > 0 ? freeSlots[--freeCount] : newSlot();
            Arrays.fill(records, slot * stride, (slot + 1) * stride, 0);
            records[slot * stride] = vertex;
            index.insert(vertex, slot);
        }
        return slot;
    }

    /** Only when no slot is free, so that all that are used go into the larger index. */
    private int newSlot() {
        if ((usedSlots + 1) * stride > records.length) {
            int slots = 2 * usedSlots;
            records = Arrays.copyOf(records, slots * stride);
            index.grow(slots, usedSlots, records);
        }
        return usedSlots++;
    }

    @Override
    public void confirm(VertexUpdate update) {
        EdgeBatch changed = update.edges();
        if (changed != null && edges != null) {
            edges.confirm(changed, update.bucket());
        }
        VertexBatch confirmed = update.added();
        for (int i = 0; i < confirmed.size() && unconfirmedVertices() > 0; i++) {
            if (VertexUpdate.isProposal(confirmed, i)) {
                continue;
            }
            int slot = index.find(confirmed.vertex(i), records);
            if (slot == VertexTable.NO_SLOT && !isOverlayComplete) {
                continue;
            }
            int header = slot * stride + HEADER;
            records[header] -= ONE_UPDATE;
            if (records[header] < ONE_UPDATE) {
                remove(slot);
            }
        }
    }

    private void remove(int slot) {
        index.remove(records[slot * stride], records);
        if (freeCount == freeSlots.length) {
            freeSlots = Arrays.copyOf(freeSlots, 2 * freeCount);
        }
        freeSlots[freeCount++] = slot;
    }

    @Override
    public int unconfirmedVertices() {
        return usedSlots - freeCount;
    }
}
