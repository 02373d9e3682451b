package io.cutwater.state.disk;

import io.cutwater.state.graph.VertexSlots;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Removals of vertices in an input, found by vertex: first all are added, then they are looked up. On the heap, 16
 * bytes for each and 18 for each different vertex.
 */
final class VertexRemovals {
    /** No removal. */
    static final int NONE = -1;

    private final VertexSlots slots = new VertexSlots(8);
    private int[] vertexOf = new int[16];
    private long[] rows = new long[16];
    private int size;
    /** Numbers of removals, those of a vertex together and in their order. */
    private int[] byVertex = {};

    private int[] starts = {};
    private final BitSet used = new BitSet();

    /** Adds a removal; rows ascend. */
    void add(long vertex, long row) {
        if (size == rows.length) {
            vertexOf = Arrays.copyOf(vertexOf, size + (size >> 1));
            rows = Arrays.copyOf(rows, size + (size >> 1));
        }
        vertexOf[size] = slots.slot(vertex);
        rows[size++] = row;
    }

    /** Ends the adding, which comes before all looking up. */
    void finish() {
        starts = new int[slots.size() + 1];
        for (int i = 0; i < size; i++) {
            starts[vertexOf[i] + 1]++;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        int[] next = starts.clone();
        byVertex = new int[size];
        for (int i = 0; i < size; i++) {
            byVertex[next[vertexOf[i]]++] = i;
        }
    }

    int size() {
        return size;
    }

    long row(int removal) {
        return rows[removal];
    }

    /** Returns the first removal of one of two vertices after a row, or {@link #NONE}. */
    int first(long one, long other, long after) {
        int first = first(one, after);
        int second = one == other ? NONE : first(other, after);
        return first == NONE || second != NONE && second < first ? second : first;
    }

    private int first(long vertex, long after) {
        int slot = slots.find(vertex);
        if (slot == NONE) {
            return NONE;
        }
        int from = starts[slot];
        int to = starts[slot + 1];
        int end = to;
        while (from < to) {
            int middle = from + to >>> 1;
            if (rows[byVertex[middle]] > after) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return from == end ? NONE : byVertex[from];
    }

    /** Takes down that a removal has removed an edge. */
    void use(int removal) {
        used.set(removal);
    }

    /** Returns whether a removal has removed an edge. */
    boolean isUsed(int removal) {
        return used.get(removal);
    }
}
