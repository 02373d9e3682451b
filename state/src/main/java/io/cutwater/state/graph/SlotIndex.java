package io.cutwater.state.graph;

import java.util.Arrays;

/**
 * Slots by vertex id: an open-addressing table of slot + 1, probed linearly and never more than half full. The ids
 * themselves stand in the records, one at the beginning of each {@code stride} longs.
 */
public final class SlotIndex {
    /** The answer for a vertex that is not there. */
    public static final int NO_SLOT = -1;

    private final int stride;
    private int[] entries;

    /** @param slots how many it has room for */
    public SlotIndex(int stride, int slots) {
        this.stride = stride;
        entries = new int[capacity(slots)];
    }

    private static int capacity(int slots) {
        return Integer.highestOneBit(Math.max(1, slots * 2 - 1)) * 2;
    }

    /** The vertex's slot, or {@link #NO_SLOT}. */
    public int find(long vertex, long[] records) {
        int[] entries = this.entries;
        int mask = entries.length - 1;
        int position = (int) Hashing.mix64(vertex) & mask;
        int entry;
        while ((entry = entries[position]) != 0) {
            if (records[(entry - 1) * stride] == vertex) {
                return entry - 1;
            }
            position = (position + 1) & mask;
        }
        return NO_SLOT;
    }

    /**
     * For each of some vertices the first entry that a search for it meets: slot + 1 of it or of another vertex, or 0.
     *
     * @param into receives them from {@code at} on
     */
    public void firstEntries(long[] vertices, int from, int to, int[] into, int at) {
        int[] entries = this.entries;
        int mask = entries.length - 1;
        for (int i = from; i < to; i++) {
            into[at + i - from] = entries[(int) Hashing.mix64(vertices[i]) & mask];
        }
    }

    /** Adds a vertex that is not there. */
    public void insert(long vertex, int slot) {
        int mask = entries.length - 1;
        int position = (int) Hashing.mix64(vertex) & mask;
        while (entries[position] != 0) {
            position = (position + 1) & mask;
        }
        entries[position] = slot + 1;
    }

    /** Backward-shift deletion (Knuth 6.4, algorithm R): keeps every probe sequence unbroken without tombstones. */
    public void remove(long vertex, long[] records) {
        int mask = entries.length - 1;
        int hole = (int) Hashing.mix64(vertex) & mask;
        while (records[(entries[hole] - 1) * stride] != vertex) {
            hole = (hole + 1) & mask;
        }
        int position = hole;
        while (true) {
            position = (position + 1) & mask;
            int entry = entries[position];
            if (entry == 0) {
                break;
            }
            int home = (int) Hashing.mix64(records[(entry - 1) * stride]) & mask;
            if (((position - home) & mask) >= ((position - hole) & mask)) {
                entries[hole] = entry;
                hole = position;
            }
        }
        entries[hole] = 0;
    }

    /** Makes room for more slots, and puts in those that are used. */
    public void grow(int slots, int usedSlots, long[] records) {
        entries = new int[capacity(slots)];
        for (int slot = 0; slot < usedSlots; slot++) {
            insert(records[slot * stride], slot);
        }
    }

    /** Forgets every slot and keeps the memory. */
    public void clear() {
        Arrays.fill(entries, 0);
    }

    /** Bytes that the index occupies. */
    public long bytes() {
        return (long) entries.length * Integer.BYTES;
    }
}
