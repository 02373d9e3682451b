package io.cutwater.kafka.folder;

/** Sorts longs that have other things beside them, without an object for each. */
final class LongSort {
    private LongSort() {}

    /** Indices of the first {@code size} keys in ascending order: a radix sort by bytes from the lowest. */
    static int[] order(long[] keys, int size) {
        return order(keys, identity(size), size);
    }

    /** Indices of the first {@code size} pairs in ascending order, the first keys first. */
    static int[] order(long[] firsts, long[] seconds, int size) {
        return order(firsts, order(seconds, size), size);
    }

    private static int[] identity(int size) {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            order[i] = i;
        }
        return order;
    }

    /** Sorts indices by their keys; those with equal keys stay in the order they came in. */
    private static int[] order(long[] keys, int[] indices, int size) {
        int[] order = indices;
        int[] other = new int[size];
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            int[] starts = new int[257];
            for (int i = 0; i < size; i++) {
                starts[digit(keys[i], shift) + 1]++;
            }
            if (size > 0 && starts[digit(keys[0], shift) + 1] == size) {
                continue; // all keys have the same byte here
            }
            for (int digit = 0; digit < 256; digit++) {
                starts[digit + 1] += starts[digit];
            }
            for (int i : order) {
                other[starts[digit(keys[i], shift)]++] = i;
            }
            int[] swap = order;
            order = other;
            other = swap;
        }
        return order;
    }

    private static int digit(long key, int shift) {
        return (int) ((key ^ Long.MIN_VALUE) >>> shift) & 0xFF;
    }
}
