package io.cutwater.state.graph;

import java.util.Arrays;

/** Numbers vertex ids 0, 1, 2 … in the order in which they come: open addressing, two thirds full at most. */
public final class VertexSlots {
    private static final int MAX_ENTRIES = Integer.MAX_VALUE - 8;

    private long[] vertices;
    private int[] entries; // slot + 1
    private int size;

    /** @param expected how many vertices may come; more are welcome, too */
    public VertexSlots(int expected) {
        vertices = new long[Math.max(8, expected)];
        entries = new int[capacity(vertices.length)];
    }

    private static int capacity(int vertexCount) {
        return (int) Math.min(MAX_ENTRIES, vertexCount + (vertexCount + 1L) / 2);
    }

    /** The number of a vertex, a new one if it was never seen. */
    public int slot(long vertex) {
        int[] entries = this.entries;
        int position = Hashing.reduce(Hashing.mix64(vertex), entries.length);
        for (int entry; (entry = entries[position]) != 0; position = next(position, entries.length)) {
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

    /** Returns the number of a vertex; −1 if it was never seen. */
    public int find(long vertex) {
        int position = Hashing.reduce(Hashing.mix64(vertex), entries.length);
        while (entries[position] != 0 && vertices[entries[position] - 1] != vertex) {
            position = next(position, entries.length);
        }
        return entries[position] - 1;
    }

    private static int next(int position, int length) {
        return position + 1 == length ? 0 : position + 1;
    }

    private void grow() {
        int most = MAX_ENTRIES / 4 * 3;
        if (size >= most) {
            throw new IllegalStateException("more than %d vertices cannot be numbered in one process".formatted(most));
        }
        vertices = Arrays.copyOf(vertices, (int) Math.min(most, 1L + size + (size >> 1)));
        entries = new int[0]; // so that the old one and the new one are not there together
        int[] larger = new int[capacity(vertices.length)];
        for (int slot = 0; slot < size; slot++) {
            int position = Hashing.reduce(Hashing.mix64(vertices[slot]), larger.length);
            while (larger[position] != 0) {
                position = next(position, larger.length);
            }
            larger[position] = slot + 1;
        }
        entries = larger;
    }

    /** Returns how many vertices have a number. */
    public int size() {
        return size;
    }

    /** The ids by number; a copy. */
    public long[] vertices() {
        return Arrays.copyOf(vertices, size);
    }
}
