package io.cutwater.state.graph;

/** The owners of both ends of an edge in one number, at least 0: the place of an edge in a vertex partitioning. */
public final class OwnerPair {
    private static final int BITS = 12;
    private static final int MASK = (1 << BITS) - 1;

    private OwnerPair() {}

    /** @param ofSource owner of one end, 0 to 4095; @param ofTarget owner of the other */
    public static int of(int ofSource, int ofTarget) {
        return ofTarget << BITS | ofSource;
    }

    public static int ofSource(int pair) {
        return pair & MASK;
    }

    public static int ofTarget(int pair) {
        return pair >>> BITS;
    }
}
