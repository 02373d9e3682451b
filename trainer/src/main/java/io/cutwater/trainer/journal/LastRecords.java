package io.cutwater.trainer.journal;

import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;

/** Position of the last record of each vertex of a file: 16 bytes per vertex, and 4 to 8 bytes for an index. */
final class LastRecords {
    /** Marks a vertex whose last record is a removal. */
    static final long GONE = -1;

    private static final int MIN_ROWS = 64;
    private static final int STRIDE = 1;

    private final SlotIndex index = new SlotIndex(STRIDE, MIN_ROWS);
    private long[] vertices = new long[MIN_ROWS];
    private long[] places = new long[MIN_ROWS];
    private int size;

    void put(long vertex, long place) {
        int row = index.find(vertex, vertices);
        if (row == VertexTable.NO_SLOT) {
            if (size == vertices.length) {
                vertices = Arrays.copyOf(vertices, 2 * size);
                places = Arrays.copyOf(places, 2 * size);
                index.grow(vertices.length, size, vertices);
            }
            row = size++;
            vertices[row] = vertex;
            index.insert(vertex, row);
        }
        places[row] = place;
    }

    /** Returns whether a record is the last one of its vertex. */
    boolean isLast(long vertex, long place) {
        return places[index.find(vertex, vertices)] == place;
    }
}
