package io.cutwater.state.feedback.ask;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RecordPrefetch;
import io.cutwater.state.graph.SlotIndex;
import java.util.Arrays;

/**
 * The vertices that an assigner has in its cache, in the operator that asks for views: it decides which vertices enter
 * and leave the cache, and the batches say so to the assigner. So both agree without a message, and a view is asked for
 * only on a miss.
 *
 * <p>It also holds the edges of each vertex that its table has not counted yet. They are sent when the vertex leaves
 * the cache, and before a checkpoint.
 *
 * <p>Eviction is the CLOCK with lives of {@link io.cutwater.state.table.VertexTable}. It happens between batches, so
 * that all vertices of a batch are in the cache together; a batch that has more than the cache makes it larger.
 *
 * <pre>
 *   1 long   vertex id
 *   1 long   bits 0 to 30: edge ends that the table has not counted; bits 31 to 59: edge ends since the vertex entered;
 *            bits 60 to 62: lives, 7: touched since the clock hand passed
 * </pre>
 */
final class CacheDirectory {
    /** Receives vertices with edges that their table has not counted. */
    interface Counts {
        /** @param count 0 if the table has counted all */
        void accept(long vertex, int count);
    }

    private static final int STRIDE = 2;
    private static final int HEADER = 1;
    private static final long UNCOUNTED = (1L << 31) - 1;
    private static final int SEEN_SHIFT = 31;
    private static final long SEEN = (1L << 29) - 1;
    private static final long ONE_END = 1 + (1L << SEEN_SHIFT);
    private static final long MAX_SEEN = SEEN - (1 << 20);
    private static final int LIVES_SHIFT = 60;
    private static final long LIVES = 7L << LIVES_SHIFT;
    private static final int MAX_LIVES = 6;
    private static final int FEW_DOUBLINGS = 2;
    private static final long FREE = -1;
    private static final int MIN_SLOTS = 64;

    private final int maxVertices;
    private final SlotIndex index = new SlotIndex(STRIDE, MIN_SLOTS);
    private final RecordPrefetch prefetch = new RecordPrefetch();
    private long[] records = new long[MIN_SLOTS * STRIDE];
    private int usedSlots;
    private int[] freeSlots = new int[MIN_SLOTS];
    private int freeCount;
    private int clockHand;
    private int[] entered = new int[MIN_SLOTS];
    private int enteredCount;

    /** @param maxVertices bound of the cache, if no batch has more */
    CacheDirectory(int maxVertices) {
        this.maxVertices = maxVertices;
    }

    /**
     * Makes room for the vertices of a batch.
     *
     * @param maxEntering vertices that may enter at the most
     * @param evicted receives the vertices that leave the cache
     */
    void makeRoom(int maxEntering, Counts evicted) {
        int stay = Math.max(0, maxVertices - maxEntering);
        if (size() <= stay) {
            return;
        }
        // Some more, so that it is not for each batch.
        stay -= Math.min(stay, maxVertices / 16);
        while (size() > stay) {
            int slot = clockHand;
            clockHand = slot + 1 == usedSlots ? 0 : slot + 1;
            long header = records[slot * STRIDE + HEADER];
            if (header == FREE) {
                continue;
            }
            if ((header & LIVES) != 0) {
                records[slot * STRIDE + HEADER] = passed(header);
                continue;
            }
            evicted.accept(records[slot * STRIDE], (int) (header & UNCOUNTED));
            index.remove(records[slot * STRIDE], records);
            records[slot * STRIDE + HEADER] = FREE;
            if (freeCount == freeSlots.length) {
                freeSlots = Arrays.copyOf(freeSlots, 2 * freeCount);
            }
            freeSlots[freeCount++] = slot;
        }
    }

    private static long passed(long header) {
        if ((header & LIVES) != LIVES) {
            return header - (1L << LIVES_SHIFT);
        }
        int doublings = Long.SIZE - Long.numberOfLeadingZeros(header >>> SEEN_SHIFT & SEEN);
        long lives = Math.min(MAX_LIVES, Math.max(0, doublings - FEW_DOUBLINGS));
        return header & ~LIVES | lives << LIVES_SHIFT;
    }

    /** Counts the edges of a batch; the vertices that are not in the cache enter it. */
    void count(EdgeBatch batch) {
        enteredCount = 0;
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        for (int i = 0; i < batch.size(); i++) {
            if (i % RecordPrefetch.EDGES == 0) {
                int to = Math.min(batch.size(), i + RecordPrefetch.EDGES);
                prefetch.fetch(records, STRIDE, index, sources, targets, i, to);
            }
            count(sources[i]);
            count(targets[i]);
        }
    }

    private void count(long vertex) {
        int slot = index.find(vertex, records);
        if (slot == SlotIndex.NO_SLOT) {
            slot = enter(vertex);
        }
        long header = records[slot * STRIDE + HEADER];
        // Beyond half a billion ends all have the same lives.
        long counted = (header >>> SEEN_SHIFT & SEEN) < MAX_SEEN ? header + ONE_END : header + 1;
        records[slot * STRIDE + HEADER] = counted | LIVES;
    }

    private int enter(long vertex) {
        int slot = freeCount > 0 ? freeSlots[--freeCount] : newSlot();
        records[slot * STRIDE] = vertex;
        records[slot * STRIDE + HEADER] = 0;
        index.insert(vertex, slot);
        if (enteredCount == entered.length) {
            entered = Arrays.copyOf(entered, 2 * enteredCount);
        }
        entered[enteredCount++] = slot;
        return slot;
    }

    /** Only when no slot is free, so that all that are used go into the larger index. */
    private int newSlot() {
        if ((usedSlots + 1) * STRIDE > records.length) {
            int slots = 2 * usedSlots;
            records = Arrays.copyOf(records, slots * STRIDE);
            index.grow(slots, usedSlots, records);
        }
        return usedSlots++;
    }

    /** Hands out the vertices that entered with the last batch, whose edges their table counts with the question. */
    void takeEntered(Counts into) {
        for (int i = 0; i < enteredCount; i++) {
            int at = entered[i] * STRIDE + HEADER;
            into.accept(records[entered[i] * STRIDE], (int) (records[at] & UNCOUNTED));
            records[at] &= ~UNCOUNTED;
        }
    }

    /** Hands out the edges that tables have not counted. */
    void takeUncounted(Counts into) {
        for (int slot = 0; slot < usedSlots; slot++) {
            int at = slot * STRIDE + HEADER;
            if (records[at] != FREE && (records[at] & UNCOUNTED) != 0) {
                into.accept(records[slot * STRIDE], (int) (records[at] & UNCOUNTED));
                records[at] &= ~UNCOUNTED;
            }
        }
    }

    /** Removes all vertices; call {@link #takeUncounted} before. */
    void clear() {
        index.clear();
        usedSlots = 0;
        freeCount = 0;
        clockHand = 0;
        enteredCount = 0;
    }

    int size() {
        return usedSlots - freeCount;
    }
}
