package io.cutwater.kafka.replay;

import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.state.graph.SlotIndex;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A map from vertices to their records, with no object per vertex beside the record. */
final class VertexDataMap {
    private static final int MIN_ROWS = 64;
    private static final int STRIDE = 1;

    private final SlotIndex index = new SlotIndex(STRIDE, MIN_ROWS);
    private long[] vertices = new long[MIN_ROWS];
    private @Nullable VertexRecord[] records = new VertexRecord[MIN_ROWS];
    private int size;

    @Nullable VertexRecord get(long vertex) {
        int row = index.find(vertex, vertices);
        return row < 0 ? null : records[row];
    }

    void put(VertexRecord record) {
        int row = index.find(record.vertex(), vertices);
        if (row >= 0) {
            records[row] = record;
            return;
        }
        if (size == vertices.length) {
            vertices = Arrays.copyOf(vertices, 2 * size);
            records = Arrays.copyOf(records, 2 * size);
            index.grow(vertices.length, size, vertices);
        }
        vertices[size] = record.vertex();
        records[size] = record;
        index.insert(record.vertex(), size);
        size++;
    }

    /** Removes the data of a vertex, if it has any. */
    void remove(long vertex) {
        int row = index.find(vertex, vertices);
        if (row < 0) {
            return;
        }
        index.remove(vertex, vertices);
        int last = --size;
        if (row != last) {
            index.remove(vertices[last], vertices);
            vertices[row] = vertices[last];
            records[row] = records[last];
            index.insert(vertices[row], row);
        }
        records[last] = null;
    }
}
