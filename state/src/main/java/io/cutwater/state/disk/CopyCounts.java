package io.cutwater.state.disk;

import io.cutwater.state.graph.Hashing;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts present and former copies of a bounded number of edges, which are numbered from 0 in the order of their
 * arrival.
 */
final class CopyCounts {
    private static final int FIRST_EDGES = 64;
    private static final int SEED = 1 << 10; // none of the depths of buckets, in which all of these hash alike

    private static final long NOWHERE = -1;

    private final int limit;
    private int size;
    private int[] entries = new int[4 * FIRST_EDGES]; // number of the edge + 1
    private long[] sources = new long[FIRST_EDGES];
    private long[] targets = new long[FIRST_EDGES];
    private int[] present = new int[FIRST_EDGES];
    private int[] taken = new int[FIRST_EDGES];
    private long @Nullable [] seen;

    /**
     * @param limit edges at the most, at least 1
     * @param seesRows whether the last row of each edge is remembered
     */
    CopyCounts(int limit, boolean seesRows) {
        this.limit = limit;
        seen = seesRows ? new long[FIRST_EDGES] : null;
    }

    /** The number of an edge; −1 if it is a new one and there is no room. */
    int number(long source, long target) {
        int at = find(source, target);
        if (entries[at] > 0) {
            return entries[at] - 1;
        }
        if (size == limit) {
            return -1;
        }
        if (size == sources.length) {
            grow();
            at = find(source, target);
        }
        sources[size] = source;
        targets[size] = target;
        see(size, NOWHERE);
        entries[at] = ++size;
        return size - 1;
    }

    private int find(long source, long target) {
        int at = Hashing.reduce(Hashing.mix64(SEED, source, target), entries.length);
        while (entries[at] > 0 && (sources[entries[at] - 1] != source || targets[entries[at] - 1] != target)) {
            at = at + 1 == entries.length ? 0 : at + 1;
        }
        return at;
    }

    private void grow() {
        int larger = (int) Math.min(limit, 2L * size);
        sources = Arrays.copyOf(sources, larger);
        targets = Arrays.copyOf(targets, larger);
        present = Arrays.copyOf(present, larger);
        taken = Arrays.copyOf(taken, larger);
        seen = seen == null ? null : Arrays.copyOf(seen, larger);
        entries = new int[2 * larger];
        for (int edge = 0; edge < size; edge++) {
            entries[find(sources[edge], targets[edge])] = edge + 1;
        }
    }

    /** Returns the number of different edges. */
    int size() {
        return size;
    }

    long source(int edge) {
        return sources[edge];
    }

    long target(int edge) {
        return targets[edge];
    }

    /** Remembers the last row of an edge. */
    void see(int edge, long row) {
        if (seen != null) {
            seen[edge] = row;
        }
    }

    /** Returns the last row of an edge; −1 if it had none. */
    long seen(int edge) {
        return seen == null ? NOWHERE : seen[edge];
    }

    /** Copies of an edge that are there now. */
    int present(int edge) {
        return present[edge];
    }

    void add(int edge) {
        present[edge] = Math.incrementExact(present[edge]);
    }

    /** Removes a copy. */
    void take(int edge) {
        present[edge]--;
        taken[edge] = Math.incrementExact(taken[edge]);
    }

    /** Removes all copies. */
    void takeAll(int edge) {
        taken[edge] = Math.addExact(taken[edge], present[edge]);
        present[edge] = 0;
    }

    /** Begins again with no copy there, and remembers how many were taken away. */
    void restart() {
        Arrays.fill(present, 0, size, 0);
        if (seen != null) {
            Arrays.fill(seen, 0, size, NOWHERE);
        }
    }

    /** Returns whether the next copy is one of the removed ones, which are the oldest. */
    boolean isToBeTaken(int edge) {
        if (taken[edge] == 0) {
            return false;
        }
        taken[edge]--;
        return true;
    }

    /** Removes all copies in the second round. */
    void takeAllAgain(int edge) {
        present[edge] = 0;
    }

    /** Removes a copy in the second round. */
    void takeAgain(int edge) {
        present[edge]--;
    }
}
