package io.cutwater.state.feedback;

import io.cutwater.state.feedback.bucket.RemoteEdges;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a rule that changes nothing of a vertex but its replicas: it gathers the new replicas of the vertices
 * in the cache, and knows those that the tables have not confirmed, by vertex, so that the assigner reads its own
 * writes (the overlay). A vertex stays in the overlay as long as an unconfirmed update names it. What is confirmed of
 * it in the meantime stays with it: replicas are only ever added, so that they are in the views as well.
 *
 * <p>{@code records} holds for each vertex of the overlay its id, the number of updates that name it with its master +
 * 1, and its replica words.
 */
final class ReplicaChanges implements UpdateSender.Changes {
    private static final int HEADER = 1;
    private static final int WORDS = 2;
    private static final int MASTER_BITS = 13;
    private static final long MASTER = (1L << MASTER_BITS) - 1;
    private static final long ONE_UPDATE = 1L << MASTER_BITS;
    private static final int MIN_SLOTS = 64;

    private final VertexTable cache;
    private final RecordExchange.NewReplicas gathered;
    private final int stride;
    private final SlotIndex index;
    private long[] records;
    private int usedSlots;
    private int[] freeSlots = new int[MIN_SLOTS];
    private int freeCount;

    /** @param cache an empty table without a store, over which the engine places edges */
    ReplicaChanges(VertexTable cache) {
        this.cache = cache;
        gathered = RecordExchange.log(cache);
        stride = WORDS + cache.layout().replicaWords();
        index = new SlotIndex(stride, MIN_SLOTS);
        records = new long[MIN_SLOTS * stride];
    }

    @Override
    public void load(long[] views, int at) {
        int slot = RecordExchange.load(cache, views, at);
        int own = index.find(views[at], records);
        if (own != VertexTable.NO_SLOT) {
            int base = own * stride;
            int master = (int) (records[base + HEADER] & MASTER) - 1;
            RecordExchange.unite(cache, slot, records, base + WORDS, master);
        }
    }

    /** Gathered changes name vertices by slots, so they must be sent before a slot gets another vertex. */
    @Override
    public void evict(long[] evicted, ViewJoin.Output output) {
        for (long vertex : evicted) {
            RecordExchange.remove(cache, vertex);
        }
    }

    @Override
    public @Nullable RemoteEdges edges() {
        return null;
    }

    @Override
    public boolean areSentBeforeEviction() {
        return true;
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
        for (int i = from; i < to; i++) {
            int slot = gathered.slot(gatheredAt[i]);
            added.add(cache.vertex(slot), 0, cache.master(slot));
            added.addReplica(gathered.partition(gatheredAt[i]));
        }
        VertexUpdate update = header.with(added, null);
        await(update);
        return update;
    }

    @Override
    public void clear() {
        gathered.clear();
    }

    @Override
    public void await(VertexUpdate update) {
        VertexBatch added = update.added();
        int[] replicas = added.replicas();
        for (int i = 0; i < added.size(); i++) {
            int base = slot(added.vertex(i)) * stride;
            records[base + HEADER] += ONE_UPDATE;
            if ((records[base + HEADER] & MASTER) == 0) {
                records[base + HEADER] |= added.master(i) + 1L;
            }
            for (int r = added.replicasFrom(i); r < added.replicasFrom(i + 1); r++) {
                records[base + WORDS + (replicas[r] >>> 6)] |= 1L << replicas[r];
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
        VertexBatch confirmed = update.added();
        for (int i = 0; i < confirmed.size(); i++) {
            int slot = index.find(confirmed.vertex(i), records);
            int header = slot * stride + HEADER;
            records[header] -= ONE_UPDATE;
            if (records[header] < ONE_UPDATE) {
                index.remove(confirmed.vertex(i), records);
                if (freeCount == freeSlots.length) {
                    freeSlots = Arrays.copyOf(freeSlots, 2 * freeCount);
                }
                freeSlots[freeCount++] = slot;
            }
        }
    }

    @Override
    public int unconfirmedVertices() {
        return usedSlots - freeCount;
    }
}
