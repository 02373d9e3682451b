package io.cutwater.state.partition;

import io.cutwater.state.graph.EdgeBatch;
import java.util.Arrays;

/**
 * The edges that wait, in the order in which they came, and by either end.
 *
 * <p>An edge has a slot in the columns. {@code older} and {@code newer} chain all that wait; {@code nextAtSource} and
 * {@code nextAtTarget} chain those at a vertex, the oldest first, whose chain is found through {@link WaitingVertices}.
 * A chain at a vertex is only ever taken whole: once an edge of it is placed, the vertex has a replica, and no edge
 * waits there any more. A freed slot keeps its edge until the next {@link #add}, so that chains can be followed while
 * edges leave.
 */
final class HeldEdges {
    static final int NONE = -1;

    private static final int FREED = -2;
    private static final int FIRST_CAPACITY = 16;

    private final WaitingVertices waiting = new WaitingVertices();
    private long[] sources = new long[FIRST_CAPACITY];
    private long[] targets = new long[FIRST_CAPACITY];
    private double[] weights = new double[FIRST_CAPACITY];
    private long[] timestamps = new long[FIRST_CAPACITY];
    private long[] numbers = new long[FIRST_CAPACITY];
    private int[] older = new int[FIRST_CAPACITY];
    private int[] newer = new int[FIRST_CAPACITY];
    private int[] nextAtSource = new int[FIRST_CAPACITY];
    private int[] nextAtTarget = new int[FIRST_CAPACITY];
    private int[] freed = new int[FIRST_CAPACITY];
    private int freedCount;
    private int usedSlots;
    private int oldest = NONE;
    private int newest = NONE;
    private int size;
    private long added;

    /** Lets edge {@code i} of a batch wait at both ends. */
    void add(EdgeBatch batch, int i) {
        int edge = freedCount > 0 ? freed[--freedCount] : takeSlot();
        sources[edge] = batch.source(i);
        targets[edge] = batch.target(i);
        weights[edge] = batch.weight(i);
        timestamps[edge] = batch.timestamp(i);
        numbers[edge] = added++;
        older[edge] = newest;
        newer[edge] = NONE;
        nextAtSource[edge] = NONE;
        nextAtTarget[edge] = NONE;
        if (newest == NONE) {
            oldest = edge;
        } else {
            newer[newest] = edge;
        }
        newest = edge;
        size++;
        appendAt(sources[edge], edge);
        if (targets[edge] != sources[edge]) {
            appendAt(targets[edge], edge);
        }
    }

    private int takeSlot() {
        if (usedSlots == sources.length) {
            int capacity = usedSlots + (usedSlots >> 1);
            sources = Arrays.copyOf(sources, capacity);
            targets = Arrays.copyOf(targets, capacity);
            weights = Arrays.copyOf(weights, capacity);
            timestamps = Arrays.copyOf(timestamps, capacity);
            numbers = Arrays.copyOf(numbers, capacity);
            older = Arrays.copyOf(older, capacity);
            newer = Arrays.copyOf(newer, capacity);
            nextAtSource = Arrays.copyOf(nextAtSource, capacity);
            nextAtTarget = Arrays.copyOf(nextAtTarget, capacity);
            freed = Arrays.copyOf(freed, capacity);
        }
        return usedSlots++;
    }

    private void appendAt(long vertex, int edge) {
        int last = waiting.append(vertex, edge);
        if (last == NONE) {
            return;
        }
        if (sources[last] == vertex) {
            nextAtSource[last] = edge;
        } else {
            nextAtTarget[last] = edge;
        }
    }

    /** The first edge of the chain at a vertex, which no longer waits there, or {@link #NONE}. */
    int takeChain(long vertex) {
        return waiting.remove(vertex);
    }

    /** The edge behind one in the chain at a vertex, or {@link #NONE}. */
    int next(int edge, long vertex) {
        return sources[edge] == vertex ? nextAtSource[edge] : nextAtTarget[edge];
    }

    boolean isHeld(int edge) {
        return older[edge] != FREED;
    }

    /** Takes an edge out of the order; its vertices' chains are the caller's to take. */
    void free(int edge) {
        if (older[edge] == NONE) {
            oldest = newer[edge];
        } else {
            newer[older[edge]] = newer[edge];
        }
        if (newer[edge] == NONE) {
            newest = older[edge];
        } else {
            older[newer[edge]] = older[edge];
        }
        older[edge] = FREED;
        freed[freedCount++] = edge;
        size--;
    }

    /** The edge that waits for longest, or {@link #NONE}. */
    int oldest() {
        return oldest;
    }

    int size() {
        return size;
    }

    /** How many edges ever waited: an edge that comes now will have this number. */
    long added() {
        return added;
    }

    /** How many edges waited before this one came. */
    long number(int edge) {
        return numbers[edge];
    }

    long source(int edge) {
        return sources[edge];
    }

    long target(int edge) {
        return targets[edge];
    }

    double weight(int edge) {
        return weights[edge];
    }

    long timestamp(int edge) {
        return timestamps[edge];
    }

    /** All that wait, the oldest first; a copy. */
    EdgeBatch toBatch() {
        EdgeBatch batch = new EdgeBatch(Math.max(1, size));
        for (int edge = oldest; edge != NONE; edge = newer[edge]) {
            batch.add(sources[edge], targets[edge], weights[edge], timestamps[edge]);
        }
        return batch;
    }
}
