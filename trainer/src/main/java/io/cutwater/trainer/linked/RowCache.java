package io.cutwater.trainer.linked;

import io.cutwater.state.graph.SlotIndex;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Features of other shards that a shard read last, up to a number of rows (least recently used). Thread-safe. */
public final class RowCache {
    private static final int NONE = -1;
    private static final int FIRST_ROWS = 1 << 10;

    private final int capacity;
    private long[] vertices;
    private RemoteRow[] rows;
    private int[] older;
    private int[] newer;
    private final SlotIndex index;
    private int count;
    private int oldest = NONE;
    private int newest = NONE;

    /** @param capacity maximum number of rows, at least 0 */
    public RowCache(int capacity) {
        this.capacity = capacity;
        int first = Math.max(1, Math.min(capacity, FIRST_ROWS));
        vertices = new long[first];
        rows = new RemoteRow[first];
        older = new int[first];
        newer = new int[first];
        index = new SlotIndex(1, first);
    }

    /** Returns the row of a vertex; null if it is not here. */
    public synchronized @Nullable RemoteRow find(long vertex) {
        int slot = index.find(vertex, vertices);
        if (slot == SlotIndex.NO_SLOT) {
            return null;
        }
        unlink(slot);
        link(slot);
        return rows[slot];
    }

    /** Keeps the row of a vertex. */
    public synchronized void put(long vertex, RemoteRow row) {
        if (capacity == 0 || find(vertex) != null) {
            return;
        }
        int slot = count < capacity ? count : oldest;
        if (count < capacity) {
            makeRoom();
            count++;
        } else {
            unlink(slot);
            index.remove(vertices[slot], vertices);
        }
        vertices[slot] = vertex;
        rows[slot] = row;
        index.insert(vertex, slot);
        link(slot);
    }

    private void makeRoom() {
        if (count == vertices.length) {
            int length = (int) Math.min(capacity, 2L * count);
            vertices = Arrays.copyOf(vertices, length);
            rows = Arrays.copyOf(rows, length);
            older = Arrays.copyOf(older, length);
            newer = Arrays.copyOf(newer, length);
            index.grow(length, count, vertices);
        }
    }

    private void unlink(int slot) {
        if (older[slot] == NONE) {
            oldest = newer[slot];
        } else {
            newer[older[slot]] = newer[slot];
        }
        if (newer[slot] == NONE) {
            newest = older[slot];
        } else {
            older[newer[slot]] = older[slot];
        }
    }

    private void link(int slot) {
        older[slot] = newest;
        newer[slot] = NONE;
        if (newest == NONE) {
            oldest = slot;
        } else {
            newer[newest] = slot;
        }
        newest = slot;
    }
}
