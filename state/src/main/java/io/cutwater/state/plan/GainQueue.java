package io.cutwater.state.plan;

import java.util.Arrays;

/** A binary heap of clusters by a key, the largest on top, in which a cluster's key can be raised. */
final class GainQueue {
    private static final int ABSENT = -1;

    private final int[] heap;
    private final int[] positions;
    private final double[] keys;
    private int size;

    GainQueue(int clusterCount) {
        heap = new int[clusterCount];
        positions = new int[clusterCount];
        Arrays.fill(positions, ABSENT);
        keys = new double[clusterCount];
    }

    boolean isEmpty() {
        return size == 0;
    }

    void clear() {
        for (int i = 0; i < size; i++) {
            positions[heap[i]] = ABSENT;
        }
        size = 0;
    }

    /** The largest key; the queue must not be empty. */
    double topKey() {
        return keys[heap[0]];
    }

    /** Removes and returns the cluster with the largest key. */
    int pop() {
        int top = heap[0];
        positions[top] = ABSENT;
        int last = heap[--size];
        if (size > 0) {
            sink(last, 0);
        }
        return top;
    }

    /** Adds a cluster that is not there. */
    void push(int cluster, double key) {
        keys[cluster] = key;
        rise(cluster, size++);
    }

    /** Raises the key of a cluster; nothing happens to one that is not there. */
    void raise(int cluster, double by) {
        if (positions[cluster] != ABSENT) {
            keys[cluster] += by;
            rise(cluster, positions[cluster]);
        }
    }

    private void rise(int cluster, int from) {
        int position = from;
        double key = keys[cluster];
        while (position > 0) {
            int parent = (position - 1) >>> 1;
            if (keys[heap[parent]] >= key) {
                break;
            }
            set(position, heap[parent]);
            position = parent;
        }
        set(position, cluster);
    }

    private void sink(int cluster, int from) {
        int position = from;
        double key = keys[cluster];
        while (2 * position + 1 < size) {
            int child = 2 * position + 1;
            if (child + 1 < size && keys[heap[child + 1]] > keys[heap[child]]) {
                child++;
            }
            if (key >= keys[heap[child]]) {
                break;
            }
            set(position, heap[child]);
            position = child;
        }
        set(position, cluster);
    }

    private void set(int position, int cluster) {
        heap[position] = cluster;
        positions[cluster] = position;
    }
}
