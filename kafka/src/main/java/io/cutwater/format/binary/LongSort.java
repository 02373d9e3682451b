package io.cutwater.format.binary;

/** Sorts rows by columns of longs without one object per row: a least-significant-byte radix sort. */
public final class LongSort {
    private LongSort() {}

    /**
     * Returns the numbers of the first {@code size} rows in ascending order; equal rows keep their order.
     *
     * @param keys columns, the most significant first
     */
    public static int[] order(int size, long[]... keys) {
        int[] order = identity(size);
        for (int column = keys.length - 1; column >= 0; column--) {
            order = order(keys[column], order, size);
        }
        return order;
    }

    private static int[] identity(int size) {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            order[i] = i;
        }
        return order;
    }

    /** Sorts indices by their keys; the sort is stable. */
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
