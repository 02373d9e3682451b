package io.cutwater.state.table;

import io.cutwater.state.graph.SlotIndex;

/**
 * Prefetches the records of the ends of the next edges into the caches of the processor. Sequential look-ups wait for
 * memory one by one; these are independent of each other, so their waits overlap. On tables beyond its caches the whole
 * loop of {@code hdrf} takes about half the time (R-MAT, 16 million edges).
 */
final class RecordPrefetch {
    /** A megabyte: less than that is in the caches anyway. */
    private static final int MIN_LONGS = 1 << 17;

    private static final int LINE_LONGS = 8;

    private final int[] entries = new int[2 * VertexTable.PREFETCH_EDGES];

    @SuppressWarnings("unused") // by us, on purpose: see fetch
    private long read;

    void fetch(VertexColumns table, SlotIndex index, long[] sources, long[] targets, int from, int to) {
        long[] records = table.records;
        int stride = table.stride;
        if (records.length < MIN_LONGS) {
            return;
        }
        int count = to - from;
        index.firstEntries(sources, from, to, entries, 0);
        index.firstEntries(targets, from, to, entries, count);
        long sum = 0;
        for (int i = 0; i < 2 * count; i++) {
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
