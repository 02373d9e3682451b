package io.cutwater.state.feedback.bucket;

import java.util.Arrays;

/** Copies of edges in chains, the oldest first; the owner knows the ends of each chain. */
final class AddedCopies {
    static final int NONE = -1;

    private static final int MIN_COPIES = 64;

    private int[] next = new int[MIN_COPIES];
    private int[] places = new int[MIN_COPIES];
    private double[] weights = new double[MIN_COPIES];
    private long[] timestamps = new long[MIN_COPIES];
    private int used;
    private int free = NONE;

    /** Adds a copy that is a chain of its own. */
    int add(int place, double weight, long timestamp) {
        int copy = free;
        if (copy == NONE) {
            copy = used++;
            ensureCapacity();
        } else {
            free = next[copy];
        }
        next[copy] = NONE;
        places[copy] = place;
        weights[copy] = weight;
        timestamps[copy] = timestamp;
        return copy;
    }

    private void ensureCapacity() {
        if (used > next.length) {
            int capacity = used + (used >> 1);
            next = Arrays.copyOf(next, capacity);
            places = Arrays.copyOf(places, capacity);
            weights = Arrays.copyOf(weights, capacity);
            timestamps = Arrays.copyOf(timestamps, capacity);
        }
    }

    /** Appends a chain to the last copy of another one. */
    void append(int last, int copy) {
        next[last] = copy;
    }

    /** Removes the first copy of a chain; returns the one after it, or {@link #NONE}. */
    int remove(int first) {
        int second = next[first];
        next[first] = free;
        free = first;
        return second;
    }

    /** Returns the copy after this one, or {@link #NONE}. */
    int next(int copy) {
        return next[copy];
    }

    int place(int copy) {
        return places[copy];
    }

    double weight(int copy) {
        return weights[copy];
    }

    long timestamp(int copy) {
        return timestamps[copy];
    }
}
