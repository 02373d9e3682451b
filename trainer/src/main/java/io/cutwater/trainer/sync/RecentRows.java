package io.cutwater.trainer.sync;

import io.cutwater.state.graph.SlotIndex;
import java.util.Arrays;

/**
 * The rows of other shards that a shard read last, up to a number of rows (least recently used). Shards of one process
 * read each other's mapped files, so only the vertices are kept, to tell which rows would not have to be sent again.
 * Thread-safe; 32 bytes per row.
 */
final class RecentRows {
    private static final int NONE = -1;
    private static final int FIRST_ROWS = 1 << 10;

    private final int capacity;
    private long[] vertices;
    private int[] older;
    private int[] newer;
    private final SlotIndex index;
    private int count;
    private int oldest = NONE;
    private int newest = NONE;

    /** @param capacity maximum number of rows, at least 0 */
    RecentRows(int capacity) {
        this.capacity = capacity;
        int first = Math.max(1, Math.min(capacity, FIRST_ROWS));
        vertices = new long[first];
        older = new int[first];
        newer = new int[first];
        index = new SlotIndex(1, first);
    }

    /** Reads a row; returns whether it was among the recent ones. */
    synchronized boolean read(long vertex) {
        if (capacity == 0) {
            return false;
        }
        int slot = index.find(vertex, vertices);
        boolean isKnown = slot != SlotIndex.NO_SLOT;
        if (isKnown) {
            unlink(slot);
        } else {
            slot = count < capacity ? count : oldest;
            if (count < capacity) {
                makeRoom();
                count++;
            } else {
                unlink(slot);
                index.remove(vertices[slot], vertices);
            }
            vertices[slot] = vertex;
            index.insert(vertex, slot);
        }
        link(slot);
        return isKnown;
    }

    private void makeRoom() {
        if (count == vertices.length) {
            int length = (int) Math.min(capacity, 2L * count);
            vertices = Arrays.copyOf(vertices, length);
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
