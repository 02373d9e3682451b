package io.cutwater.state.table;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.store.VertexStore;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Vertices that were read from the store ahead of their use, in one batch: a store reads many keys in its own order
 * much faster than single keys at random.
 *
 * <p>These vertices were not in the table when they were read, so they are unchanged; an entry is removed when the
 * table loads it, since the table may change it from then on.
 */
final class ReadAhead {
    private static final int MIN_CAPACITY = 64;

    private long[] vertices = new long[MIN_CAPACITY / 2];
    private byte[] @Nullable [] values = new byte[MIN_CAPACITY / 2][];
    private boolean[] isTaken = new boolean[MIN_CAPACITY / 2];
    private int[] entries = new int[MIN_CAPACITY]; // position + 1, 0 for none; never more than half full
    private int count;

    /** Forgets what was read before, and makes room. */
    void clear(int maxVertices) {
        if (vertices.length < maxVertices) {
            int capacity = Integer.highestOneBit(maxVertices * 2 - 1) * 2;
            vertices = new long[capacity / 2];
            values = new byte[capacity / 2][];
            isTaken = new boolean[capacity / 2];
            entries = new int[capacity];
        } else if (count > 0) {
            Arrays.fill(entries, 0);
            Arrays.fill(values, 0, count, null);
            Arrays.fill(isTaken, 0, count, false);
        }
        count = 0;
    }

    /** Requests a vertex; duplicates are ignored. */
    void add(long vertex) {
        int at = entry(vertex);
        if (entries[at] == 0) {
            vertices[count] = vertex;
            entries[at] = ++count;
        }
    }

    /** Returns how many vertices are requested. */
    int size() {
        return count;
    }

    void read(VertexStore store) {
        store.read(vertices, count, values);
    }

    /** Begins to read; nothing may be requested or taken before the store has been waited for. */
    void start(VertexStore store) {
        if (count > 0) {
            store.startRead(vertices, count, values);
        }
    }

    /** Drops what is read of a vertex, which the table has now; may be called while the store reads. */
    void discard(long vertex) {
        if (count > 0) {
            int position = entries[entry(vertex)] - 1;
            if (position >= 0) {
                isTaken[position] = true;
            }
        }
    }

    /** Returns whether the vertex was read and not taken since; if so, it is taken by {@link #take}. */
    boolean has(long vertex) {
        if (count == 0) {
            return false;
        }
        int position = entries[entry(vertex)] - 1;
        return position >= 0 && !isTaken[position];
    }

    /** The bytes of a vertex that is here, null if the store has none. */
    byte @Nullable [] take(long vertex) {
        int position = entries[entry(vertex)] - 1;
        isTaken[position] = true;
        byte[] value = values[position];
        values[position] = null;
        return value;
    }

    private int entry(long vertex) {
        int mask = entries.length - 1;
        int at = (int) Hashing.mix64(vertex) & mask;
        while (entries[at] != 0 && vertices[entries[at] - 1] != vertex) {
            at = (at + 1) & mask;
        }
        return at;
    }
}
