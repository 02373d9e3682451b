package io.cutwater.state.edges;

import io.cutwater.state.graph.Hashing;
import java.util.Arrays;

/**
 * A Bloom filter of edges, without false negatives, whose six bits for an edge lie in one line of the processor's cache
 * (Putze, Sanders, Singler: Cache-, hash- and space-efficient Bloom filters, section 3). Wrong about 1 % of new edges
 * when it holds one edge for 10 of its bits, and about ever more beyond.
 */
final class EdgeFilter {
    private static final int LINE_WORDS = 8;
    private static final int BITS = 6;
    private static final int BIT_BITS = 9; // of 512 in a line
    private static final long LINE_SEED = 1;
    private static final long BIT_SEED = 2;

    private final long[] words;

    /** @param bytes its size, rounded down to a power of two, 64 bytes to 1 GiB */
    EdgeFilter(long bytes) {
        if (bytes < LINE_WORDS * Long.BYTES || bytes > 1 << 30) {
            throw new IllegalArgumentException("a filter has 64 bytes to 1 GiB: " + bytes);
        }
        words = new long[Integer.highestOneBit((int) (bytes / Long.BYTES))];
    }

    void add(long source, long target) {
        int line = line(source, target);
        long bits = Hashing.mix64(BIT_SEED, source, target);
        for (int i = 0; i < BITS; i++, bits >>>= BIT_BITS) {
            words[line + (int) (bits >>> 6 & LINE_WORDS - 1)] |= 1L << bits;
        }
    }

    /** False: the edge was not added. */
    boolean mayContain(long source, long target) {
        int line = line(source, target);
        long bits = Hashing.mix64(BIT_SEED, source, target);
        for (int i = 0; i < BITS; i++, bits >>>= BIT_BITS) {
            if ((words[line + (int) (bits >>> 6 & LINE_WORDS - 1)] >>> bits & 1) == 0) {
                return false;
            }
        }
        return true;
    }

    private int line(long source, long target) {
        return (int) Hashing.mix64(LINE_SEED, source, target) & words.length - 1 & -LINE_WORDS;
    }

    void clear() {
        Arrays.fill(words, 0);
    }
}
