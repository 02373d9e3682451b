package io.cutwater.state.graph;

/**
 * Prefetches the records of the ends of the next edges into the caches of the processor. Sequential look-ups wait for
 * memory one by one; these are independent of each other, so their waits overlap. On tables beyond its caches the whole
 * loop of {@code hdrf} takes about half the time (R-MAT, 16 million edges).
 */
public final class RecordPrefetch {
    /** Edges whose ends are taken at once: few enough that the first are still there when the last is. */
    public static final int EDGES = 64;

    /** Vertices that are taken at once. */
    public static final int VERTICES = 2 * EDGES;

    /** A megabyte: less than that is in the caches anyway. */
    private static final int MIN_LONGS = 1 << 17;

    private static final int LINE_LONGS = 8;

    private final int[] entries = new int[VERTICES];

    @SuppressWarnings("unused") // by us, on purpose: see fetch
    private long read;

    /**
     * Prefetches the records of the ends of at most {@value #EDGES} edges.
     *
     * @param records that the index is of
     * @param stride longs of a record
     * @param sources, targets ends of edges, of which those from {@code from} to before {@code to} are meant
     */
    public void fetch(long[] records, int stride, SlotIndex index, long[] sources, long[] targets, int from, int to) {
        if (records.length < MIN_LONGS) {
            return;
        }
        int count = to - from;
        index.firstEntries(sources, from, to, entries, 0);
        index.firstEntries(targets, from, to, entries, count);
        fetch(records, stride, 2 * count);
    }

    /**
     * Prefetches the records of at most {@value #VERTICES} vertices.
     *
     * @param vertices ids, of which those from {@code from} to before {@code to} are meant
     */
    public void fetch(long[] records, int stride, SlotIndex index, long[] vertices, int from, int to) {
        if (records.length >= MIN_LONGS) {
            index.firstEntries(vertices, from, to, entries, 0);
            fetch(records, stride, to - from);
        }
    }

    /**
     * Prefetches the records in some slots.
     *
     * @param slots slots, of which those from {@code from} to before {@code to} are meant; those that are negative or
     *     beyond the records are left out
     */
    public void fetch(long[] records, int stride, int[] slots, int from, int to) {
        if (records.length < MIN_LONGS) {
            return;
        }
        long sum = 0;
        for (int i = from; i < to; i++) {
            int base = slots[i] * stride;
            if (slots[i] >= 0 && base + stride <= records.length) {
                sum += records[base] + records[base + stride - 1];
            }
        }
        read = sum;
    }

    private void fetch(long[] records, int stride, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            if (entries[i] != 0) {
                int base = (entries[i] - 1) * stride;
                for (int at = base; at < base + stride; at += LINE_LONGS) {
                    sum += records[at];
                }
                sum += records[base + stride - 1];
            }
        }
        // Otherwise the compiler would remove the reads, whose results are unused.
        read = sum;
    }
}
