package io.cutwater.trainer.journal;

import io.cutwater.format.binary.LongSort;
import java.io.IOException;
import java.util.Arrays;

/**
 * Sums the additions and removals of each edge. Rows are stored in arrays of 36 bytes per row, and twice that during a
 * sort. A full buffer is first compacted, and grows only if that does not free half of it.
 */
final class EdgeDeltas {
    private long[] hashes;
    private long[] sources;
    private long[] targets;
    private int[] places;
    private int[] counts;
    private int size;

    /** Receives edges with their number of copies. */
    @FunctionalInterface
    interface RowConsumer {
        /** @param count number of copies, not 0 */
        void accept(long source, long target, int place, int count) throws IOException;
    }

    EdgeDeltas(int rows) {
        hashes = new long[rows];
        sources = new long[rows];
        targets = new long[rows];
        places = new int[rows];
        counts = new int[rows];
    }

    void add(long hash, long source, long target, int place, int count) {
        if (size == hashes.length) {
            addUp();
            if (size > hashes.length / 2) {
                grow();
            }
        }
        hashes[size] = hash;
        sources[size] = source;
        targets[size] = target;
        places[size] = place;
        counts[size++] = count;
    }

    private void grow() {
        int length = Math.multiplyExact(2, hashes.length);
        hashes = Arrays.copyOf(hashes, length);
        sources = Arrays.copyOf(sources, length);
        targets = Arrays.copyOf(targets, length);
        places = Arrays.copyOf(places, length);
        counts = Arrays.copyOf(counts, length);
    }

    /** Passes on the edges whose count is not 0, ordered by hash, and clears the buffer. */
    void drain(RowConsumer consumer) throws IOException {
        addUp();
        for (int row = 0; row < size; row++) {
            consumer.accept(sources[row], targets[row], places[row], counts[row]);
        }
        size = 0;
    }

    private void addUp() {
        sort(LongSort.order(size, hashes));
        if (hasCollision()) { // rare, but the order must not depend on the order of arrival
            sort(LongSort.order(
                    size,
                    hashes,
                    sources,
                    targets,
                    Arrays.stream(places).asLongStream().toArray()));
        }
        int kept = 0;
        for (int row = 0; row < size; row++) {
            if (kept > 0 && isSame(kept - 1, row)) {
                counts[kept - 1] += counts[row];
                continue;
            }
            if (kept > 0 && counts[kept - 1] == 0) {
                kept--;
            }
            move(row, kept++);
        }
        size = kept > 0 && counts[kept - 1] == 0 ? kept - 1 : kept;
    }

    private boolean hasCollision() {
        for (int row = 1; row < size; row++) {
            if (hashes[row] == hashes[row - 1] && !isSame(row - 1, row)) {
                return true;
            }
        }
        return false;
    }

    private void sort(int[] order) {
        hashes = gather(hashes, order);
        sources = gather(sources, order);
        targets = gather(targets, order);
        places = gather(places, order);
        counts = gather(counts, order);
    }

    private static long[] gather(long[] from, int[] order) {
        long[] to = new long[from.length];
        for (int row = 0; row < order.length; row++) {
            to[row] = from[order[row]];
        }
        return to;
    }

    private static int[] gather(int[] from, int[] order) {
        int[] to = new int[from.length];
        for (int row = 0; row < order.length; row++) {
            to[row] = from[order[row]];
        }
        return to;
    }

    private boolean isSame(int row, int other) {
        return sources[row] == sources[other] && targets[row] == targets[other] && places[row] == places[other];
    }

    private void move(int row, int to) {
        hashes[to] = hashes[row];
        sources[to] = sources[row];
        targets[to] = targets[row];
        places[to] = places[row];
        counts[to] = counts[row];
    }
}
