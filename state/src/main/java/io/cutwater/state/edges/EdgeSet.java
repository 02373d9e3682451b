package io.cutwater.state.edges;

import io.cutwater.state.graph.Hashing;
import java.util.Arrays;

/** A set of pairs of ids in primitive arrays: open addressing, source and target side by side, half full at most. */
final class EdgeSet {
    private static final int MIN_SLOTS = 1 << 12;
    private static final int MAX_SLOTS = 1 << 29;

    private long[] pairs = new long[2 * MIN_SLOTS];
    private int size;
    private boolean hasZero; // the pair that free slots look like

    /** Adds a pair; false if it was there. */
    boolean add(long source, long target) {
        if ((source | target) == 0) {
            boolean isNew = !hasZero;
            hasZero = true;
            size += isNew ? 1 : 0;
            return isNew;
        }
        int at = place(pairs, source, target);
        if ((pairs[at] | pairs[at + 1]) != 0) {
            return false;
        }
        pairs[at] = source;
        pairs[at + 1] = target;
        if (++size > pairs.length / 4) {
            grow();
        }
        return true;
    }

    boolean contains(long source, long target) {
        if ((source | target) == 0) {
            return hasZero;
        }
        int at = place(pairs, source, target);
        return (pairs[at] | pairs[at + 1]) != 0;
    }

    /** Returns the position of a pair other than zero, or the position where it belongs. */
    private static int place(long[] pairs, long source, long target) {
        int mask = pairs.length - 1;
        int at = (int) Hashing.mix64(0, source, target) << 1 & mask;
        while ((pairs[at] != source || pairs[at + 1] != target) && (pairs[at] | pairs[at + 1]) != 0) {
            at = at + 2 & mask;
        }
        return at;
    }

    private void grow() {
        if (pairs.length / 2 >= MAX_SLOTS) {
            throw new IllegalStateException("a set of edges in memory holds at most %d".formatted(size));
        }
        long[] larger = new long[pairs.length * 2];
        for (int from = 0; from < pairs.length; from += 2) {
            if ((pairs[from] | pairs[from + 1]) != 0) {
                int at = place(larger, pairs[from], pairs[from + 1]);
                larger[at] = pairs[from];
                larger[at + 1] = pairs[from + 1];
            }
        }
        pairs = larger;
    }

    int size() {
        return size;
    }

    /** Empties the set and keeps its memory. */
    void clear() {
        Arrays.fill(pairs, 0);
        size = 0;
        hasZero = false;
    }
}
