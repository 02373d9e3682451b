package io.cutwater.state.table;

import io.cutwater.state.store.VertexStore;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Vertices on their way to a store, which gets many at a time. */
final class StagedWrites {
    private final VertexStore store;
    private final long[] ids;
    private final byte[] @Nullable [] values;
    private int count;
    private long vertices;
    private long bytes;

    /** @param capacity most vertices of one write */
    StagedWrites(VertexStore store, int capacity) {
        this.store = store;
        ids = new long[capacity];
        values = new byte[capacity][];
    }

    /**
     * Adds a vertex; writes those before it first if there is no room.
     *
     * @param value bytes of its record; null if the store is to forget it
     */
    void add(long vertex, byte @Nullable [] value) {
        if (count == ids.length) {
            write();
        }
        ids[count] = vertex;
        values[count++] = value;
        if (value != null) {
            vertices++;
            bytes += value.length;
        }
    }

    /** Writes what was added. */
    void write() {
        if (count > 0) {
            store.write(ids, values, count);
            Arrays.fill(values, 0, count, null);
            count = 0;
        }
    }

    /** Returns the mean size of a record that was added, 0 before the first. */
    double bytesPerVertex() {
        return vertices == 0 ? 0 : (double) bytes / vertices;
    }
}
