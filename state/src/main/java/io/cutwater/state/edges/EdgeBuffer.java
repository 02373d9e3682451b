package io.cutwater.state.edges;

import io.cutwater.state.graph.EdgeBatch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A buffer of edges, in the order of arrival and chained at their endpoints.
 *
 * <p>An edge has a slot in the columns. {@code older} and {@code newer} chain all that wait; {@code nextAtSource} and
 * {@code nextAtTarget} chain those at a vertex, the oldest first, and {@code previousAtSource} and
 * {@code previousAtTarget} lead back. The caller knows where each chain begins and ends, and takes it whole or edge by
 * edge. A freed slot keeps its edge until the next {@link #add}, so that chains can be followed while edges leave.
 */
public final class EdgeBuffer {
    /** No edge. */
    public static final int NONE = -1;

    private static final int FREED = -2;
    private static final int FIRST_CAPACITY = 16;

    private long[] sources = new long[FIRST_CAPACITY];
    private long[] targets = new long[FIRST_CAPACITY];
    private double[] weights = new double[FIRST_CAPACITY];
    private long[] timestamps = new long[FIRST_CAPACITY];
    private long @Nullable [] keys; // if an edge has one
    private long[] numbers = new long[FIRST_CAPACITY];
    private int[] older = new int[FIRST_CAPACITY];
    private int[] newer = new int[FIRST_CAPACITY];
    private int[] nextAtSource = new int[FIRST_CAPACITY];
    private int[] nextAtTarget = new int[FIRST_CAPACITY];
    private int[] previousAtSource = new int[FIRST_CAPACITY];
    private int[] previousAtTarget = new int[FIRST_CAPACITY];
    private int[] freed = new int[FIRST_CAPACITY];
    private int freedCount;
    private int usedSlots;
    private int oldest = NONE;
    private int newest = NONE;
    private int size;
    private long added;

    /** Lets edge {@code i} of a batch wait, in no chain yet; returns its slot, which is its own until it is freed. */
    public int add(EdgeBatch batch, int i) {
        int edge = freedCount > 0 ? freed[--freedCount] : takeSlot();
        sources[edge] = batch.source(i);
        targets[edge] = batch.target(i);
        weights[edge] = batch.weight(i);
        timestamps[edge] = batch.timestamp(i);
        setKey(edge, batch.key(i));
        numbers[edge] = added++;
        older[edge] = newest;
        newer[edge] = NONE;
        nextAtSource[edge] = NONE;
        nextAtTarget[edge] = NONE;
        previousAtSource[edge] = NONE;
        previousAtTarget[edge] = NONE;
        if (newest == NONE) {
            oldest = edge;
        } else {
            newer[newest] = edge;
        }
        newest = edge;
        size++;
        return edge;
    }

    private void setKey(int edge, long key) {
        if (keys == null && key != EdgeBatch.NO_KEY) {
            keys = new long[sources.length];
            Arrays.fill(keys, EdgeBatch.NO_KEY);
        }
        if (keys != null) {
            keys[edge] = key;
        }
    }

    private int takeSlot() {
        if (usedSlots == sources.length) {
            int capacity = usedSlots + (usedSlots >> 1);
            sources = Arrays.copyOf(sources, capacity);
            targets = Arrays.copyOf(targets, capacity);
            weights = Arrays.copyOf(weights, capacity);
            timestamps = Arrays.copyOf(timestamps, capacity);
            keys = keys == null ? null : Arrays.copyOf(keys, capacity);
            numbers = Arrays.copyOf(numbers, capacity);
            older = Arrays.copyOf(older, capacity);
            newer = Arrays.copyOf(newer, capacity);
            nextAtSource = Arrays.copyOf(nextAtSource, capacity);
            nextAtTarget = Arrays.copyOf(nextAtTarget, capacity);
            previousAtSource = Arrays.copyOf(previousAtSource, capacity);
            previousAtTarget = Arrays.copyOf(previousAtTarget, capacity);
            freed = Arrays.copyOf(freed, capacity);
        }
        return usedSlots++;
    }

    /** Puts an edge behind another one in the chain at a vertex that is an end of both. */
    public void chain(int last, int edge, long vertex) {
        setNext(last, edge, vertex);
        setPrevious(edge, last, vertex);
    }

    private void setNext(int edge, int next, long vertex) {
        if (sources[edge] == vertex) {
            nextAtSource[edge] = next;
        } else {
            nextAtTarget[edge] = next;
        }
    }

    private void setPrevious(int edge, int previous, long vertex) {
        if (sources[edge] == vertex) {
            previousAtSource[edge] = previous;
        } else {
            previousAtTarget[edge] = previous;
        }
    }

    /** Takes an edge out of the chain at a vertex; where that begins and ends is the caller's to know. */
    public void unchain(int edge, long vertex) {
        int next = next(edge, vertex);
        int previous = previous(edge, vertex);
        if (previous != NONE) {
            setNext(previous, next, vertex);
        }
        if (next != NONE) {
            setPrevious(next, previous, vertex);
        }
    }

    /** Takes all edges out of their chains. */
    public void unchainAll() {
        Arrays.fill(nextAtSource, NONE);
        Arrays.fill(nextAtTarget, NONE);
        Arrays.fill(previousAtSource, NONE);
        Arrays.fill(previousAtTarget, NONE);
    }

    /**
     * The oldest copy of an edge in two chains, each of which has all of them, or {@link #NONE}. It takes as long as
     * the shorter one.
     *
     * @param key of the copy; {@link EdgeBatch#NO_KEY} for any
     */
    public int find(long source, long target, long key, int one, long oneVertex, int other, long otherVertex) {
        int atOne = one;
        int atOther = other;
        while (atOne != NONE && atOther != NONE) {
            if (isCopy(atOne, source, target, key)) {
                return atOne;
            }
            if (isCopy(atOther, source, target, key)) {
                return atOther;
            }
            atOne = next(atOne, oneVertex);
            atOther = next(atOther, otherVertex);
        }
        return NONE;
    }

    private boolean isCopy(int edge, long source, long target, long key) {
        return sources[edge] == source && targets[edge] == target && (key == EdgeBatch.NO_KEY || key(edge) == key);
    }

    /** The edge behind one in the chain at a vertex, or {@link #NONE}. */
    public int next(int edge, long vertex) {
        return sources[edge] == vertex ? nextAtSource[edge] : nextAtTarget[edge];
    }

    /** The edge before one in the chain at a vertex, or {@link #NONE}. */
    public int previous(int edge, long vertex) {
        return sources[edge] == vertex ? previousAtSource[edge] : previousAtTarget[edge];
    }

    public boolean isHeld(int edge) {
        return older[edge] != FREED;
    }

    /** Takes an edge out of the order; its vertices' chains are the caller's to take. */
    public void free(int edge) {
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
    public int oldest() {
        return oldest;
    }

    /** Returns the edge that was buffered next after this one, or {@link #NONE}. */
    public int newer(int edge) {
        return newer[edge];
    }

    public int size() {
        return size;
    }

    /** Returns the number of edges buffered so far, which is the number of the next one. */
    public long added() {
        return added;
    }

    /** Returns the number of edges that were buffered before this one. */
    public long number(int edge) {
        return numbers[edge];
    }

    public long source(int edge) {
        return sources[edge];
    }

    public long target(int edge) {
        return targets[edge];
    }

    public double weight(int edge) {
        return weights[edge];
    }

    public long timestamp(int edge) {
        return timestamps[edge];
    }

    /** {@link EdgeBatch#NO_KEY} for none. */
    public long key(int edge) {
        return keys == null ? EdgeBatch.NO_KEY : keys[edge];
    }

    /** Returns the slots of all that wait, the oldest first. */
    public int[] slots() {
        int[] slots = new int[size];
        int count = 0;
        for (int edge = oldest; edge != NONE; edge = newer[edge]) {
            slots[count++] = edge;
        }
        return slots;
    }

    /** Returns how many waiting edges were buffered before that many others. */
    public int countBefore(long number) {
        int count = 0;
        for (int edge = oldest; edge != NONE && numbers[edge] < number; edge = newer[edge]) {
            count++;
        }
        return count;
    }

    /** Returns a copy of some waiting edges, the newest of all and in any order. */
    public EdgeBatch newest(int count) {
        EdgeBatch batch = new EdgeBatch(Math.max(1, count));
        int edge = newest;
        for (int i = 0; i < count; i++, edge = older[edge]) {
            batch.add(sources[edge], targets[edge], weights[edge], timestamps[edge], key(edge));
        }
        return batch;
    }

    /** Returns a copy of all waiting edges, the oldest first. */
    public EdgeBatch toBatch() {
        EdgeBatch batch = new EdgeBatch(Math.max(1, size));
        for (int edge = oldest; edge != NONE; edge = newer[edge]) {
            batch.add(sources[edge], targets[edge], weights[edge], timestamps[edge], key(edge));
        }
        return batch;
    }
}
