package io.cutwater.state.feedback;

import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;

/**
 * The updates of an assigner that the table has not confirmed yet, by vertex, so that the assigner reads its own
 * writes. A vertex stays as long as an unconfirmed update names it. What is confirmed of it in the meantime stays with
 * it: replicas are only ever added, so that they are in the views as well.
 *
 * <p>{@code records} holds for each vertex its id, the number of updates that name it with its master + 1, and its
 * replica words.
 */
final class Overlay {
    private static final int HEADER = 1;
    private static final int WORDS = 2;
    private static final int MASTER_BITS = 13;
    private static final long MASTER = (1L << MASTER_BITS) - 1;
    private static final long ONE_UPDATE = 1L << MASTER_BITS;
    private static final int MIN_SLOTS = 64;

    private final int stride;
    private final SlotIndex index;
    private long[] records;
    private int usedSlots;
    private int[] freeSlots = new int[MIN_SLOTS];
    private int freeCount;

    Overlay(VertexLayout layout) {
        stride = WORDS + layout.replicaWords();
        index = new SlotIndex(stride, MIN_SLOTS);
        records = new long[MIN_SLOTS * stride];
    }

    void add(VertexBatch added) {
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

    void remove(VertexBatch confirmed) {
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

    /** Adds what is known here of a vertex to its view. */
    void unite(long vertex, VertexTable views, int viewSlot) {
        int slot = index.find(vertex, records);
        if (slot != VertexTable.NO_SLOT) {
            int base = slot * stride;
            RecordExchange.unite(views, viewSlot, records, base + WORDS, (int) (records[base + HEADER] & MASTER) - 1);
        }
    }

    /** Vertices. */
    int size() {
        return usedSlots - freeCount;
    }
}
