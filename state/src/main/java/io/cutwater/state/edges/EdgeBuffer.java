package io.cutwater.state.edges;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SlotIndex;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A buffer of edges, in the order of arrival and chained at their endpoints.
 *
 * <p>An edge has a slot in the columns. {@code links} chain all that wait. The next edges at its source and its target,
 * which are younger, and the previous ones stand in its record. The caller knows where each chain begins and ends, and
 * takes it whole or edge by edge. A freed slot keeps its edge until the next {@link #add}, so that chains can be
 * followed while edges leave.
 *
 * <p>A record has what is read of an edge when a vertex gets its place, since the edges of a vertex are anywhere in a
 * large buffer: source, target, the next edges at both, the previous ones, and where a table had the two vertices when
 * the edge came. A pair is one long, that of the source first.
 */
public final class EdgeBuffer {
    /** No edge. */
    public static final int NONE = -1;

    private static final int FREED = -2;
    private static final int FIRST_CAPACITY = 16;

    private static final int STRIDE = 5;
    private static final int TARGET = 1;
    private static final int NEXT = 2;
    private static final int PREVIOUS = 3;
    private static final int SLOTS = 4;
    private static final long NO_PAIR = pair(NONE, NONE);

    private long[] records = new long[STRIDE * FIRST_CAPACITY];
    private double @Nullable [] weights; // if an edge has one
    private long @Nullable [] timestamps; // if an edge has one
    private long @Nullable [] keys; // if an edge has one
    private long[] numbers = new long[FIRST_CAPACITY];
    private long[] links = new long[FIRST_CAPACITY]; // older and newer one
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
        int base = edge * STRIDE;
        records[base] = batch.source(i);
        records[base + TARGET] = batch.target(i);
        records[base + NEXT] = NO_PAIR;
        records[base + PREVIOUS] = NO_PAIR;
        records[base + SLOTS] = NO_PAIR;
        setWeight(edge, batch.weight(i));
        setTimestamp(edge, batch.timestamp(i));
        setKey(edge, batch.key(i));
        numbers[edge] = added++;
        links[edge] = pair(newest, NONE);
        if (newest == NONE) {
            oldest = edge;
        } else {
            links[newest] = pair(first(links[newest]), edge);
        }
        newest = edge;
        size++;
        return edge;
    }

    private static long pair(int first, int second) {
        return (long) first << Integer.SIZE | second & 0xffffffffL;
    }

    private static int first(long pair) {
        return (int) (pair >>> Integer.SIZE);
    }

    private static int second(long pair) {
        return (int) pair;
    }

    private void setWeight(int edge, double weight) {
        if (weights == null && !Double.isNaN(weight)) {
            weights = new double[numbers.length];
            Arrays.fill(weights, Double.NaN);
        }
        if (weights != null) {
            weights[edge] = weight;
        }
    }

    private void setTimestamp(int edge, long timestamp) {
        if (timestamps == null && timestamp != EdgeBatch.NO_TIMESTAMP) {
            timestamps = new long[numbers.length];
            Arrays.fill(timestamps, EdgeBatch.NO_TIMESTAMP);
        }
        if (timestamps != null) {
            timestamps[edge] = timestamp;
        }
    }

    private void setKey(int edge, long key) {
        if (keys == null && key != EdgeBatch.NO_KEY) {
            keys = new long[numbers.length];
            Arrays.fill(keys, EdgeBatch.NO_KEY);
        }
        if (keys != null) {
            keys[edge] = key;
        }
    }

    private int takeSlot() {
        if (usedSlots == numbers.length) {
            int capacity = usedSlots + (usedSlots >> 1);
            records = Arrays.copyOf(records, Math.multiplyExact(STRIDE, capacity));
            weights = weights == null ? null : Arrays.copyOf(weights, capacity);
            timestamps = timestamps == null ? null : Arrays.copyOf(timestamps, capacity);
            keys = keys == null ? null : Arrays.copyOf(keys, capacity);
            numbers = Arrays.copyOf(numbers, capacity);
            links = Arrays.copyOf(links, capacity);
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
        set(edge * STRIDE + NEXT, next, source(edge) == vertex);
    }

    private void setPrevious(int edge, int previous, long vertex) {
        set(edge * STRIDE + PREVIOUS, previous, source(edge) == vertex);
    }

    private void set(int at, int value, boolean isFirst) {
        long pair = records[at];
        records[at] = isFirst ? pair(value, second(pair)) : pair(first(pair), value);
    }

    private int get(int at, boolean isFirst) {
        return isFirst ? first(records[at]) : second(records[at]);
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
        for (int base = 0; base < usedSlots * STRIDE; base += STRIDE) {
            records[base + NEXT] = NO_PAIR;
            records[base + PREVIOUS] = NO_PAIR;
        }
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
        return source(edge) == source && target(edge) == target && (key == EdgeBatch.NO_KEY || key(edge) == key);
    }

    /** The edge behind one in the chain at a vertex, or {@link #NONE}. */
    public int next(int edge, long vertex) {
        return get(edge * STRIDE + NEXT, source(edge) == vertex);
    }

    /** The edge before one in the chain at a vertex, or {@link #NONE}. */
    public int previous(int edge, long vertex) {
        return get(edge * STRIDE + PREVIOUS, source(edge) == vertex);
    }

    public boolean isHeld(int edge) {
        return first(links[edge]) != FREED;
    }

    /** Takes an edge out of the order; its vertices' chains are the caller's to take. */
    public void free(int edge) {
        int older = first(links[edge]);
        int newer = second(links[edge]);
        if (older == NONE) {
            oldest = newer;
        } else {
            links[older] = pair(first(links[older]), newer);
        }
        if (newer == NONE) {
            newest = older;
        } else {
            links[newer] = pair(older, second(links[newer]));
        }
        links[edge] = pair(FREED, newer);
        freed[freedCount++] = edge;
        size--;
    }

    /**
     * Gives the next edges the free slots in ascending order, so that edges that come together stand together. It looks
     * at every slot, so call it when many edges have left.
     */
    public void orderFreed() {
        freedCount = 0;
        for (int edge = usedSlots - 1; edge >= 0; edge--) {
            if (!isHeld(edge)) {
                freed[freedCount++] = edge;
            }
        }
    }

    /** The edge that waits for longest, or {@link #NONE}. */
    public int oldest() {
        return oldest;
    }

    /** Returns the edge that was buffered next after this one, or {@link #NONE}. */
    public int newer(int edge) {
        return second(links[edge]);
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
        return records[edge * STRIDE];
    }

    public long target(int edge) {
        return records[edge * STRIDE + TARGET];
    }

    /** Remembers where a table of vertices has the endpoints of an edge now. */
    public void setSlots(int edge, int ofSource, int ofTarget) {
        records[edge * STRIDE + SLOTS] = pair(ofSource, ofTarget);
    }

    /**
     * Returns where the table had an endpoint, which may be elsewhere by now, or {@link SlotIndex#NO_SLOT}.
     *
     * @param isSource whether the source is meant
     */
    public int slot(int edge, boolean isSource) {
        return get(edge * STRIDE + SLOTS, isSource);
    }

    public double weight(int edge) {
        return weights == null ? Double.NaN : weights[edge];
    }

    public long timestamp(int edge) {
        return timestamps == null ? EdgeBatch.NO_TIMESTAMP : timestamps[edge];
    }

    /** {@link EdgeBatch#NO_KEY} for none. */
    public long key(int edge) {
        return keys == null ? EdgeBatch.NO_KEY : keys[edge];
    }

    /** Returns the slots of all that wait, the oldest first. */
    public int[] slots() {
        int[] slots = new int[size];
        int count = 0;
        for (int edge = oldest; edge != NONE; edge = newer(edge)) {
            slots[count++] = edge;
        }
        return slots;
    }

    /** Returns how many waiting edges were buffered before that many others. */
    public int countBefore(long number) {
        int count = 0;
        for (int edge = oldest; edge != NONE && numbers[edge] < number; edge = newer(edge)) {
            count++;
        }
        return count;
    }

    /** Returns a copy of some waiting edges, the newest of all and in any order. */
    public EdgeBatch newest(int count) {
        EdgeBatch batch = new EdgeBatch(Math.max(1, count));
        int edge = newest;
        for (int i = 0; i < count; i++, edge = first(links[edge])) {
            batch.add(source(edge), target(edge), weight(edge), timestamp(edge), key(edge));
        }
        return batch;
    }

    /** Returns a copy of all waiting edges, the oldest first. */
    public EdgeBatch toBatch() {
        EdgeBatch batch = new EdgeBatch(Math.max(1, size));
        for (int edge = oldest; edge != NONE; edge = newer(edge)) {
            batch.add(source(edge), target(edge), weight(edge), timestamp(edge), key(edge));
        }
        return batch;
    }
}
