package io.cutwater.state.cluster;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.table.VertexColumns;
import java.util.Arrays;

/**
 * The numbers under which a task knows clusters that all tasks know by ids, and those that it may forget: a cluster
 * comes back with the label of the next of its vertices that the task sees.
 */
final class SharedClusters {
    /** Ids from here on are of clusters that several tasks have; below, the numbers + 1 of a single one. */
    private static final long FIRST_ID = 1L << 39;

    private static final int LEAST_KEPT = 64 * 1024;

    private final boolean forgets;
    private final SlotIndex index = new SlotIndex(1, EdgeStreamClustering.FIRST_CAPACITY);
    private long[] ids = new long[EdgeStreamClustering.FIRST_CAPACITY];
    private boolean[] isTouched = new boolean[EdgeStreamClustering.FIRST_CAPACITY];
    private int forgetAt = LEAST_KEPT;

    /** @param forgets whether clusters that are not seen for long are forgotten */
    SharedClusters(boolean forgets) {
        this.forgets = forgets;
    }

    /**
     * Returns the id of the cluster that a vertex opens, the same in every task. With 2³⁹ ids two in ten thousand of a
     * hundred million clusters share theirs with another, and count as one.
     */
    static long idOfFirst(VertexColumns vertices, int slot) {
        return FIRST_ID | Hashing.mix64(vertices.vertex(slot)) >>> (Long.SIZE - 39);
    }

    /** Returns the number of a cluster, or {@link SlotIndex#NO_SLOT}. */
    int find(long id) {
        int number = index.find(id, ids);
        if (number != SlotIndex.NO_SLOT) {
            isTouched[number] = true;
        }
        return number;
    }

    long id(int number) {
        return ids[number];
    }

    /** Adds a cluster. @param count one more than the largest number so far; all are in use if the arrays are full */
    void add(long id, int number, int count) {
        if (number == ids.length) {
            int capacity = 2 * number;
            ids = Arrays.copyOf(ids, capacity);
            isTouched = Arrays.copyOf(isTouched, capacity);
            index.grow(capacity, count - 1, ids);
        }
        ids[number] = id;
        isTouched[number] = true;
        index.insert(id, number);
    }

    /** The number is free now. */
    void remove(int number) {
        index.remove(ids[number], ids);
        ids[number] = 0;
    }

    /** Returns whether clusters should be forgotten before there is one more. */
    boolean isFull(int count) {
        return forgets && count >= forgetAt;
    }

    /** Returns whether a cluster is in use and has not been seen since the last call of {@link #beginAnew}. */
    boolean isForgotten(int number) {
        return ids[number] != 0 && !isTouched[number];
    }

    /** @param used clusters that are left */
    void beginAnew(int used) {
        Arrays.fill(isTouched, false);
        forgetAt = Math.max(LEAST_KEPT, 2 * used);
    }
}
