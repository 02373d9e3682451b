package io.cutwater.state.table;

/**
 * The header word of a vertex record.
 *
 * <pre>
 *   bits 0 to 42    degree
 *   bit  43         recounted: the degree changed since the listener was told
 *   bits 44 to 56   master + 1, 0 for none
 *   bits 57 to 59   lives: how often the clock hand passes before it evicts; 7: touched since it passed
 *   bit  60         dirty: the store has older bytes
 *   bit  61         unpublished: the replicas changed since the listener was told
 *   bit  62         free: the slot holds no vertex
 *   bit  63         emptied: the vertex was forgotten, and goes unless it has come back
 * </pre>
 */
final class VertexHeader {
    static final long RECOUNTED = 1L << 43;
    static final long DIRTY = 1L << 60;
    static final long UNPUBLISHED = 1L << 61;
    static final long FREE = 1L << 62;
    static final long EMPTIED = 1L << 63;

    private static final long DEGREE = RECOUNTED - 1;
    private static final int MASTER_SHIFT = 44;
    private static final long MASTER = (1L << 13) - 1;
    private static final int LIVES_SHIFT = 57;
    private static final long ONE_LIFE = 1L << LIVES_SHIFT;
    private static final long LIVES = 7 * ONE_LIFE;
    private static final int MAX_LIVES = 6;
    private static final int FEW_DOUBLINGS = 2;

    private VertexHeader() {}

    /** @param master the partition, or {@link VertexTable#NO_MASTER} */
    static long of(long degree, int master) {
        return degree | (master + 1L) << MASTER_SHIFT;
    }

    static long degree(long header) {
        return header & DEGREE;
    }

    /** The partition, or {@link VertexTable#NO_MASTER}. */
    static int master(long header) {
        return (int) (header >>> MASTER_SHIFT & MASTER) - 1;
    }

    static long withMaster(long header, int master) {
        return header & ~(MASTER << MASTER_SHIFT) | master + 1L << MASTER_SHIFT;
    }

    /** Returns the header without the bookkeeping of a table, for another table. */
    static long plain(long header) {
        return header & (DEGREE | MASTER << MASTER_SHIFT);
    }

    static boolean is(long flag, long header) {
        return (header & flag) != 0;
    }

    static boolean isAlive(long header) {
        return (header & LIVES) != 0;
    }

    /** After the clock hand has passed: the first time it gives lives by the degree, then it takes one. */
    static long passed(long header) {
        if ((header & LIVES) != LIVES) {
            return header - ONE_LIFE;
        }
        int doublings = Long.SIZE - Long.numberOfLeadingZeros(degree(header));
        long lives = Math.min(MAX_LIVES, Math.max(0, doublings - FEW_DOUBLINGS));
        return header & ~LIVES | lives << LIVES_SHIFT;
    }

    /** Not passed by the clock hand yet. */
    static long renewed(long header) {
        return header | LIVES;
    }

    /** Dirty, and not passed by the clock hand yet: one instruction, for it happens twice an edge. */
    static long touched(long header) {
        return header | LIVES | DIRTY;
    }

    /** {@link #touched}, and the listener is to be told of another degree. */
    static long recounted(long header) {
        return header | LIVES | DIRTY | RECOUNTED;
    }
}
