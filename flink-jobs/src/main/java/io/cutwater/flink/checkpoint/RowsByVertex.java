package io.cutwater.flink.checkpoint;

import io.cutwater.state.graph.Hashing;
import java.util.Arrays;

/**
 * Finds all rows of a vertex in a column of vertices that only grows: a chain of rows for each of them. Rows that were
 * added are chained when one is looked for.
 */
final class RowsByVertex {
    private int[] previous = {}; // row of the same vertex, + 1; 0 for none
    private int[] lastRows = {}; // open addressing by vertex, at most half full: its last row, + 1
    private int chained; // rows, the first ones

    /**
     * Returns the rows of a vertex, in the order in which they came.
     *
     * @param vertices of the rows, the first {@code size} entries
     */
    int[] of(long vertex, long[] vertices, int size) {
        chain(vertices, size);
        int count = 0;
        int last = lastRows[place(vertex, vertices)];
        for (int row = last; row != 0; row = previous[row - 1]) {
            count++;
        }
        int[] rows = new int[count];
        for (int row = last; row != 0; row = previous[row - 1]) {
            rows[--count] = row - 1;
        }
        return rows;
    }

    private void chain(long[] vertices, int size) {
        if (lastRows.length < 2 * vertices.length) {
            lastRows = new int[Integer.highestOneBit(vertices.length) * 4];
            chained = 0;
        }
        if (previous.length < vertices.length) {
            previous = Arrays.copyOf(previous, vertices.length);
        }
        for (; chained < size; chained++) {
            int place = place(vertices[chained], vertices);
            previous[chained] = lastRows[place];
            lastRows[place] = chained + 1;
        }
    }

    private int place(long vertex, long[] vertices) {
        int mask = lastRows.length - 1;
        int place = (int) Hashing.mix64(vertex) & mask;
        while (lastRows[place] != 0 && vertices[lastRows[place] - 1] != vertex) {
            place = place + 1 & mask;
        }
        return place;
    }

    /** Forgets all rows; the column still has them. */
    void clear(long[] vertices) {
        if (chained < lastRows.length / Long.SIZE) {
            // The latest first: no other vertex is found behind it.
            for (int row = chained - 1; row >= 0; row--) {
                if (previous[row] == 0) {
                    lastRows[place(vertices[row], vertices)] = 0;
                }
            }
        } else {
            Arrays.fill(lastRows, 0);
        }
        chained = 0;
    }
}
