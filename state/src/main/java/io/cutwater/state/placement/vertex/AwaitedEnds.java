package io.cutwater.state.placement.vertex;

import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;

/** How many edges wait, at each vertex that has its owner, for the owner of their other end. */
final class AwaitedEnds {
    private static final int FIRST_CAPACITY = 16;

    private final SlotIndex index = new SlotIndex(1, FIRST_CAPACITY);
    private long[] vertices = new long[FIRST_CAPACITY];
    private int[] counts = new int[FIRST_CAPACITY];
    private int[] freed = new int[FIRST_CAPACITY];
    private int freedCount;
    private int usedSlots;

    /** @param change 1, or −1 for an edge that waits no longer */
    void add(long vertex, int change) {
        int slot = index.find(vertex, vertices);
        if (slot == VertexTable.NO_SLOT) {
            slot = takeSlot();
            vertices[slot] = vertex;
            counts[slot] = 0;
            index.insert(vertex, slot);
        }
        counts[slot] += change;
        if (counts[slot] == 0) {
            index.remove(vertex, vertices);
            freed[freedCount++] = slot;
        }
    }

    int count(long vertex) {
        int slot = index.find(vertex, vertices);
        return slot == VertexTable.NO_SLOT ? 0 : counts[slot];
    }

    private int takeSlot() {
        if (freedCount > 0) {
            return freed[--freedCount];
        }
        if (usedSlots == vertices.length) {
            int capacity = usedSlots + (usedSlots >> 1);
            vertices = Arrays.copyOf(vertices, capacity);
            counts = Arrays.copyOf(counts, capacity);
            freed = Arrays.copyOf(freed, capacity);
            index.grow(capacity, usedSlots, vertices); // no slot is free, so that all of them hold a vertex
        }
        return usedSlots++;
    }
}
