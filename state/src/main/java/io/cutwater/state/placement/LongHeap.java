package io.cutwater.state.placement;

import java.util.Arrays;

/** A binary heap of numbers, the least first. */
final class LongHeap {
    private long[] values = new long[64];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    void add(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        int at = size++;
        for (int parent = (at - 1) / 2; at > 0 && values[parent] > value; parent = (at - 1) / 2) {
            values[at] = values[parent];
            at = parent;
        }
        values[at] = value;
    }

    /** Takes the least number; there must be one. */
    long remove() {
        long least = values[0];
        long last = values[--size];
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            child += child + 1 < size && values[child + 1] < values[child] ? 1 : 0;
            if (values[child] >= last) {
                break;
            }
            values[at] = values[child];
            at = child;
        }
        values[at] = last;
        return least;
    }
}
