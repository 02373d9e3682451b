package io.cutwater.state.edges;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import java.util.Arrays;

/**
 * Numbers edges, each with its key if it has one, for columns beside it: an edge has a slot from when it is added until
 * it is removed, and then another one gets it. Open addressing, half full at most; without edges it takes a few hundred
 * bytes.
 */
public final class EdgeSlots {
    /** No slot. */
    public static final int NONE = -1;

    private static final int MIN_SLOTS = 8;

    private long[] sources = new long[MIN_SLOTS];
    private long[] targets = new long[MIN_SLOTS];
    private long[] keys = new long[MIN_SLOTS];
    private int[] freeSlots = new int[MIN_SLOTS];
    private int[] index = new int[2 * MIN_SLOTS]; // slot + 1
    private int used;
    private int free;

    /**
     * Returns the slot of an edge, or {@link #NONE}.
     *
     * @param key {@link EdgeBatch#NO_KEY} for none
     */
    public int find(long source, long target, long key) {
        return index[position(source, target, key)] - 1;
    }

    /** Adds an edge that is not there; returns its slot, below {@link #bound()}. */
    public int add(long source, long target, long key) {
        if (free == 0 && used == sources.length) {
            grow();
        }
        int slot = free > 0 ? freeSlots[--free] : used++;
        sources[slot] = source;
        targets[slot] = target;
        keys[slot] = key;
        index[position(source, target, key)] = slot + 1;
        return slot;
    }

    private void grow() {
        int capacity = Math.multiplyExact(2, used);
        sources = Arrays.copyOf(sources, capacity);
        targets = Arrays.copyOf(targets, capacity);
        keys = Arrays.copyOf(keys, capacity);
        freeSlots = Arrays.copyOf(freeSlots, capacity);
        index = new int[Math.multiplyExact(2, capacity)];
        for (int slot = 0; slot < used; slot++) {
            index[position(sources[slot], targets[slot], keys[slot])] = slot + 1;
        }
    }

    /** Removes the edge in a slot. */
    public void remove(int slot) {
        int mask = index.length - 1;
        int gap = position(sources[slot], targets[slot], keys[slot]);
        // What follows moves up, so that no gap is between an edge and where it belongs (Knuth 6.4, algorithm R).
        for (int at = gap + 1 & mask; index[at] != 0; at = at + 1 & mask) {
            int other = index[at] - 1;
            int home = home(sources[other], targets[other], keys[other]);
            if ((at - home & mask) >= (at - gap & mask)) {
                index[gap] = index[at];
                gap = at;
            }
        }
        index[gap] = 0;
        freeSlots[free++] = slot;
    }

    private int home(long source, long target, long key) {
        return (int) Hashing.mix64(key == EdgeBatch.NO_KEY ? 0 : key, source, target) & index.length - 1;
    }

    private int position(long source, long target, long key) {
        int mask = index.length - 1;
        int at = home(source, target, key);
        while (index[at] != 0 && !isAt(index[at] - 1, source, target, key)) {
            at = at + 1 & mask;
        }
        return at;
    }

    private boolean isAt(int slot, long source, long target, long key) {
        return sources[slot] == source && targets[slot] == target && keys[slot] == key;
    }

    /** Returns the slots in ascending order. */
    public int[] slots() {
        int[] slots = new int[size()];
        int count = 0;
        for (int entry : index) {
            if (entry != 0) {
                slots[count++] = entry - 1;
            }
        }
        Arrays.sort(slots);
        return slots;
    }

    public long source(int slot) {
        return sources[slot];
    }

    public long target(int slot) {
        return targets[slot];
    }

    public long key(int slot) {
        return keys[slot];
    }

    /** Returns the number of edges. */
    public int size() {
        return used - free;
    }

    /** Returns the number of slots that columns need. */
    public int bound() {
        return sources.length;
    }
}
