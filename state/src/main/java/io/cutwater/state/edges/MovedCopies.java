package io.cutwater.state.edges;

/**
 * Remembers the rows of the last moved edge without a copy left on its former partition, so that moving many copies one
 * by one reads each row a few times and not once for each copy.
 */
final class MovedCopies {
    private long source;
    private long target;
    private int from;
    private int firstRow;

    /** Number of the first row that may have a copy on the partition; 0 if nothing is known. */
    int firstRow(long source, long target, int from) {
        return is(source, target) && this.from == from ? firstRow : 0;
    }

    /** There is no copy of the edge on {@code from} in the rows before this one; what was known before is forgotten. */
    void remember(long source, long target, int from, int row) {
        this.source = source;
        this.target = target;
        this.from = from;
        firstRow = row;
    }

    /** Forgets an edge whose copies were removed: its rows may be renumbered. */
    void forget(long source, long target) {
        if (is(source, target)) {
            firstRow = 0;
        }
    }

    private boolean is(long source, long target) {
        return this.source == source && this.target == target;
    }
}
