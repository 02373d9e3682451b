package io.cutwater.state.graph;

/**
 * The place of an edge in one number, at least 0: the partition of each end. In a vertex partitioning these are the
 * owners of the ends, and the edge is in the shards of both; in an edge partitioning both halves are the edge's one
 * partition.
 */
public final class Place {
    private static final int BITS = 12;
    private static final int MASK = (1 << BITS) - 1;

    private Place() {}

    /**
     * Returns the place of an edge.
     *
     * @param ofSource partition of the source, 0 to 4095
     * @param ofTarget partition of the target, 0 to 4095
     */
    public static int of(int ofSource, int ofTarget) {
        return ofTarget << BITS | ofSource;
    }

    /** Returns the place of an edge that is on one partition, 0 to 4095, with both of its ends. */
    public static int of(int partition) {
        return of(partition, partition);
    }

    public static int ofSource(int place) {
        return place & MASK;
    }

    public static int ofTarget(int place) {
        return place >>> BITS;
    }
}
