package io.cutwater.flink.checkpoint;

import io.cutwater.state.graph.Hashing;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rows of kept edges that are not in the state backend yet, in primitive columns: found by their key, and iterated
 * vertex by vertex. A null row is to be deleted.
 */
final class PendingRows {
    /** Receives a row. */
    @FunctionalInterface
    interface Consumer {
        void accept(long vertex, RowKey key, byte @Nullable [] row) throws Exception;
    }

    private static final int ABSENT = -1;

    private final VertexBuckets buckets;
    private long[] vertices;
    private long[] neighbours;
    private boolean[] outgoing;
    private int[] numbers;
    private byte[] @Nullable [] rows;
    private int[] index; // open addressing, at most half full: position of the row, + 1
    private int size;

    /** @param capacity rows it can hold before it grows, a power of two */
    PendingRows(VertexBuckets buckets, int capacity) {
        this.buckets = buckets;
        vertices = new long[capacity];
        neighbours = new long[capacity];
        outgoing = new boolean[capacity];
        numbers = new int[capacity];
        rows = new byte[capacity][];
        index = new int[2 * capacity];
    }

    int size() {
        return size;
    }

    /** Returns the position of a row, below {@link #size}; negative if it is absent. */
    int find(long vertex, long neighbour, boolean isOutgoing, int number) {
        return index[place(vertex, neighbour, isOutgoing, number)] + ABSENT;
    }

    byte @Nullable [] row(int position) {
        return rows[position];
    }

    /** Adds or replaces a row. */
    void put(long vertex, long neighbour, boolean isOutgoing, int number, byte @Nullable [] row) {
        int place = place(vertex, neighbour, isOutgoing, number);
        if (index[place] != 0) {
            rows[index[place] + ABSENT] = row;
            return;
        }
        if (size == vertices.length) {
            grow();
            place = place(vertex, neighbour, isOutgoing, number);
        }
        vertices[size] = vertex;
        neighbours[size] = neighbour;
        outgoing[size] = isOutgoing;
        numbers[size] = number;
        rows[size] = row;
        index[place] = ++size;
    }

    private int place(long vertex, long neighbour, boolean isOutgoing, int number) {
        int mask = index.length - 1;
        int place = (int) Hashing.mix64((long) number << 1 | (isOutgoing ? 1 : 0), vertex, neighbour) & mask;
        while (index[place] != 0 && !is(index[place] + ABSENT, vertex, neighbour, isOutgoing, number)) {
            place = place + 1 & mask;
        }
        return place;
    }

    private boolean is(int position, long vertex, long neighbour, boolean isOutgoing, int number) {
        return vertices[position] == vertex
                && neighbours[position] == neighbour
                && outgoing[position] == isOutgoing
                && numbers[position] == number;
    }

    private void grow() {
        int capacity = Math.multiplyExact(2, vertices.length);
        vertices = Arrays.copyOf(vertices, capacity);
        neighbours = Arrays.copyOf(neighbours, capacity);
        outgoing = Arrays.copyOf(outgoing, capacity);
        numbers = Arrays.copyOf(numbers, capacity);
        rows = Arrays.copyOf(rows, capacity);
        index = new int[Math.multiplyExact(2, capacity)];
        for (int i = 0; i < size; i++) {
            index[place(vertices[i], neighbours[i], outgoing[i], numbers[i])] = i + 1;
        }
    }

    /** Passes all rows to the consumer: those of a vertex together, vertices in the order of the state backend. */
    void forEach(Consumer consumer) throws Exception {
        for (int position : buckets.inStoreOrder(vertices, size)) {
            RowKey key = new RowKey(neighbours[position], outgoing[position], numbers[position]);
            consumer.accept(vertices[position], key, rows[position]);
        }
    }

    /** Removes all rows and keeps the memory. */
    void clear() {
        Arrays.fill(index, 0);
        Arrays.fill(rows, 0, size, null);
        size = 0;
    }
}
