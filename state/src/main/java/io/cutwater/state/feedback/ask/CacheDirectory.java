package io.cutwater.state.feedback.ask;

import io.cutwater.state.feedback.bucket.BucketOrder;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import java.util.Arrays;

/**
 * The vertices that an assigner has in its cache, in the operator that asks for views: it decides which vertices enter
 * and leave the cache, and the batches say so to the assigner. So both agree without a message, and a view is asked for
 * only on a miss. It even knows the slot of each vertex in the cache, which takes and frees slots in the same order,
 * and the batches say that as well: then the assigner has nothing to search for.
 *
 * <p>It also holds the edges of each vertex that its table has not counted yet. They are sent when the vertex leaves
 * the cache, and before a checkpoint.
 *
 * <p>Eviction is the CLOCK with lives of {@link io.cutwater.state.table.VertexTable}. It happens between batches, so
 * that all vertices of a batch are in the cache together; a batch that has more than the cache makes it larger.
 *
 * <p>Each end of an edge is looked up here and nothing else is done with it, so the wait for memory is the price. An
 * open-addressing table that holds the entries themselves waits once for an end, where an index of slots waits twice;
 * and the ends of {@value #EDGES} edges are read ahead, so that these waits overlap.
 *
 * <pre>
 *   1 long   vertex id
 *   1 long   bits 0 to 23: edge ends that the table has not counted; bits 24 to 31: edge ends since the vertex entered,
 *            1 to 255, which stands for more; bits 32 to 60: slot; bits 61 to 63: lives, 7: touched since the clock
 *            hand passed. 0 if the entry is empty
 * </pre>
 */
final class CacheDirectory {
    /** Receives vertices with edges that their table has not counted. */
    interface Counts {
        /** @param count 0 if the table has counted all */
        void accept(long vertex, int count);
    }

    private static final int EDGES = 64;
    private static final int STRIDE = 2;
    private static final int HEADER = 1;
    private static final long EMPTY = 0;
    private static final long UNCOUNTED = (1L << 24) - 1;
    /** A batch has fewer than half so many edges, so the bits do not overflow before the vertex is told. */
    private static final long MANY_UNCOUNTED = 1L << 23;

    private static final int SEEN_SHIFT = 24;
    private static final long MAX_SEEN = 255L << SEEN_SHIFT;
    private static final long ONE_END = 1 + (1L << SEEN_SHIFT);
    private static final int SLOT_SHIFT = 32;
    private static final int MAX_SLOT = (1 << 29) - 1;
    private static final long SLOT = (long) MAX_SLOT << SLOT_SHIFT;
    private static final int LIVES_SHIFT = 61;
    private static final long LIVES = 7L << LIVES_SHIFT;
    private static final int MAX_LIVES = 6;
    private static final int FEW_DOUBLINGS = 2;
    private static final int MIN_ENTRIES = 128;

    private final int maxVertices;
    private final int[] ahead = new int[2 * EDGES];
    private long[] entries = new long[MIN_ENTRIES * STRIDE];
    private int mask = MIN_ENTRIES - 1;
    private int size;
    private int clockHand;
    private long[] entered = new long[MIN_ENTRIES];
    private int[] enteredAt = new int[MIN_ENTRIES];
    private int enteredCount;
    private int usedSlots;
    private int[] freeSlots = new int[MIN_ENTRIES];
    private int freeCount;

    @SuppressWarnings("unused") // by us, on purpose: see readAhead
    private long read;

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
        if (size <= stay) {
            return;
        }
        // Some more, so that it is not for each batch.
        stay -= Math.min(stay, maxVertices / 16);
        int freeBefore = freeCount;
        while (size > stay) {
            int at = clockHand * STRIDE;
            long header = entries[at + HEADER];
            if (header != EMPTY && (header & LIVES) == 0) {
                evicted.accept(entries[at], (int) (header & UNCOUNTED));
                free(slot(header));
                remove(clockHand); // which may move another vertex here
                continue;
            }
            if (header != EMPTY) {
                entries[at + HEADER] = passed(header);
            }
            clockHand = clockHand + 1 & mask;
        }
        // The cache removes the vertices from the last to the first.
        for (int from = freeBefore, to = freeCount - 1; from < to; from++, to--) {
            int first = freeSlots[from];
            freeSlots[from] = freeSlots[to];
            freeSlots[to] = first;
        }
    }

    private static int slot(long header) {
        return (int) (header >>> SLOT_SHIFT) & MAX_SLOT;
    }

    private void free(int slot) {
        if (slot >= usedSlots) {
            return; // it has none, because no edge is placed in this pass
        }
        if (freeCount == freeSlots.length) {
            freeSlots = Arrays.copyOf(freeSlots, 2 * freeCount);
        }
        freeSlots[freeCount++] = slot;
    }

    private static long passed(long header) {
        if ((header & LIVES) != LIVES) {
            return header - (1L << LIVES_SHIFT);
        }
        int doublings = Long.SIZE - Long.numberOfLeadingZeros((header & MAX_SEEN) >>> SEEN_SHIFT);
        long lives = Math.min(MAX_LIVES, Math.max(0, doublings - FEW_DOUBLINGS));
        return header & ~LIVES | lives << LIVES_SHIFT;
    }

    /** Backward-shift deletion (Knuth 6.4, algorithm R): keeps every probe sequence unbroken without tombstones. */
    private void remove(int position) {
        int hole = position;
        int next = position;
        while (true) {
            next = next + 1 & mask;
            long header = entries[next * STRIDE + HEADER];
            if (header == EMPTY) {
                break;
            }
            int home = home(entries[next * STRIDE]);
            if ((next - home & mask) >= (next - hole & mask)) {
                entries[hole * STRIDE] = entries[next * STRIDE];
                entries[hole * STRIDE + HEADER] = header;
                hole = next;
            }
        }
        entries[hole * STRIDE + HEADER] = EMPTY;
        size--;
    }

    private int home(long vertex) {
        return (int) Hashing.mix64(vertex) & mask;
    }

    /**
     * Counts the edges of a batch; the vertices that are not in the cache enter it.
     *
     * @param slots receives the slots of the source and the target of each edge, see {@link #takeSlots}
     * @param many receives vertices that were in the cache, before their uncounted edges overflow
     */
    void count(EdgeBatch batch, int[] slots, Counts many) {
        enteredCount = 0;
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        for (int from = 0; from < batch.size(); from += EDGES) {
            int to = Math.min(batch.size(), from + EDGES);
            makeSpace(2 * (to - from));
            readAhead(sources, targets, from, to);
            for (int i = from; i < to; i++) {
                slots[2 * i] = count(sources[i], ahead[2 * (i - from)], many);
                slots[2 * i + 1] = count(targets[i], ahead[2 * (i - from) + 1], many);
            }
        }
    }

    /** Reads the first entries that searches meet: independent of each other, these reads wait for memory together. */
    private void readAhead(long[] sources, long[] targets, int from, int to) {
        long[] entries = this.entries;
        int[] ahead = this.ahead;
        int mask = this.mask;
        long sum = 0;
        for (int i = from; i < to; i++) {
            int source = (int) Hashing.mix64(sources[i]) & mask;
            int target = (int) Hashing.mix64(targets[i]) & mask;
            ahead[2 * (i - from)] = source;
            ahead[2 * (i - from) + 1] = target;
            sum += entries[source * STRIDE] + entries[target * STRIDE];
        }
        // Otherwise the compiler would remove the reads, whose results are unused.
        read = sum;
    }

    private int count(long vertex, int home, Counts many) {
        long[] entries = this.entries;
        int position = home;
        long header;
        while ((header = entries[position * STRIDE + HEADER]) != EMPTY && entries[position * STRIDE] != vertex) {
            position = position + 1 & mask;
        }
        if (header == EMPTY) {
            header = enter(vertex, position);
        }
        // Beyond that all have the same lives.
        long counted = header + ((header & MAX_SEEN) == MAX_SEEN ? 1 : ONE_END) | LIVES;
        if ((counted & MANY_UNCOUNTED) != 0) {
            many.accept(vertex, (int) (counted & UNCOUNTED));
            counted &= ~UNCOUNTED;
        }
        entries[position * STRIDE + HEADER] = counted;
        return slot(counted);
    }

    /** Returns the header of a new entry: instead of a slot it has one of the largest, by the order of entering. */
    private long enter(long vertex, int position) {
        entries[position * STRIDE] = vertex;
        size++;
        if (enteredCount == entered.length) {
            entered = Arrays.copyOf(entered, 2 * enteredCount);
            enteredAt = new int[2 * enteredCount];
        }
        entered[enteredCount] = vertex;
        return (long) (MAX_SLOT - enteredCount++) << SLOT_SHIFT;
    }

    /** Grows the table if it would be more than two thirds full with some more vertices. */
    private void makeSpace(int more) {
        if (3L * (size + more) <= 2L * (mask + 1)) {
            return;
        }
        long[] before = entries;
        entries = new long[2 * before.length];
        mask = 2 * mask + 1;
        clockHand = 0;
        for (int at = 0; at < before.length; at += STRIDE) {
            if (before[at + HEADER] != EMPTY) {
                int position = home(before[at]);
                while (entries[position * STRIDE + HEADER] != EMPTY) {
                    position = position + 1 & mask;
                }
                entries[position * STRIDE] = before[at];
                entries[position * STRIDE + HEADER] = before[at + HEADER];
            }
        }
    }

    /** Hands out the vertices that entered with the last batch, whose edges their table counts with the question. */
    void takeEntered(Counts into) {
        for (int i = 0; i < enteredCount; i++) {
            int position = home(entered[i]);
            while (entries[position * STRIDE] != entered[i] || entries[position * STRIDE + HEADER] == EMPTY) {
                position = position + 1 & mask;
            }
            int at = position * STRIDE + HEADER;
            into.accept(entered[i], (int) (entries[at] & UNCOUNTED));
            entries[at] &= ~UNCOUNTED;
            enteredAt[i] = at;
        }
    }

    /**
     * Gives slots to the vertices that {@link #takeEntered} has handed out.
     *
     * @param order numbers of vertices in the order in which the cache gets their records
     * @param first number of the vertex that was handed out first; lower ones are others
     * @param slots what {@link #count} has said of so many ends
     */
    void takeSlots(BucketOrder order, int first, int[] slots, int ends) {
        int[] taken = new int[enteredCount];
        for (int i = 0; i < first + enteredCount; i++) {
            int entering = order.at(i) - first;
            if (entering >= 0) {
                int slot = freeCount > 0 ? freeSlots[--freeCount] : usedSlots++;
                taken[entering] = slot;
                entries[enteredAt[entering]] &= ~SLOT;
                entries[enteredAt[entering]] |= (long) slot << SLOT_SHIFT;
            }
        }
        int last = MAX_SLOT - enteredCount;
        for (int i = 0; enteredCount > 0 && i < ends; i++) {
            if (slots[i] > last) {
                slots[i] = taken[MAX_SLOT - slots[i]];
            }
        }
    }

    /** Hands out the edges that tables have not counted. */
    void takeUncounted(Counts into) {
        for (int at = 0; at < entries.length; at += STRIDE) {
            if ((entries[at + HEADER] & UNCOUNTED) != 0) {
                into.accept(entries[at], (int) (entries[at + HEADER] & UNCOUNTED));
                entries[at + HEADER] &= ~UNCOUNTED;
            }
        }
    }

    /** Removes all vertices; call {@link #takeUncounted} before. */
    void clear() {
        Arrays.fill(entries, EMPTY);
        size = 0;
        clockHand = 0;
        enteredCount = 0;
        usedSlots = 0;
        freeCount = 0;
    }

    int size() {
        return size;
    }
}
