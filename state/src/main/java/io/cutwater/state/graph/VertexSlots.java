package io.cutwater.state.graph;

import java.util.Arrays;

/** Numbers vertex ids 0, 1, 2 … in the order in which they come: open addressing, at most half full. */
final class VertexSlots {
    private long[] vertices;
    private int[] entries; // slot + 1
    private int size;

    VertexSlots(int expected) {
        int capacity = Integer.highestOneBit(Math.max(8, expected) * 2 - 1) * 2;
        entries = new int[capacity];
        vertices = new long[capacity / 2];
    }

    /** The number of a vertex, a new one if it was never seen. */
    int slot(long vertex) {
        int mask = entries.length - 1;
        int position = (int) Hashing.mix64(vertex) & mask;
        for (int entry; (entry = entries[position]) != 0; position = (position + 1) & mask) {
            if (vertices[entry - 1] == vertex) {
                return entry - 1;
            }
        }
        if (size == vertices.length) {
            grow();
            return slot(vertex);
        }
        vertices[size] = vertex;
        entries[position] = ++size;
        return size - 1;
    }

    private void grow() {
        vertices = Arrays.copyOf(vertices, Math.multiplyExact(size, 2));
        int mask = Math.multiplyExact(entries.length, 2) - 1;
        entries = new int[mask + 1];
        for (int slot = 0; slot < size; slot++) {
            int position = (int) Hashing.mix64(vertices[slot]) & mask;
            while (entries[position] != 0) {
                position = (position + 1) & mask;
            }
            entries[position] = slot + 1;
        }
    }

    /** The ids by number; a copy. */
    long[] vertices() {
        return Arrays.copyOf(vertices, size);
    }
}
