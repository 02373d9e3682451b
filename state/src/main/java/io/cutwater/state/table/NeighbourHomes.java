package io.cutwater.state.table;

/**
 * A vertex's home and the decayed counters of its neighbours' homes, in two words. It has the four heaviest counters:
 * on real graphs they tell nearly what all k would.
 *
 * <pre>
 *   weights   4 x 16 bits, in units of 1 / 1024; 0: the counter is not in use
 *   places    bits 0 to 12: home + 1, 0 for none; then 4 x 12 bits, the counters' partitions
 * </pre>
 *
 * All arithmetic is on whole numbers, so that a vertex which went to the store and came back is the same.
 */
public final class NeighbourHomes {
    /** Counters of a vertex. */
    public static final int COUNTERS = 4;

    /** The weight that one neighbour adds to a counter. */
    public static final int ONE = 1024;

    /** A counter keeps this many parts of 65536, .95, whenever a neighbour is counted. */
    public static final int DECAY = 62_259;

    private static final int WEIGHT_BITS = 16;
    private static final int WEIGHT_MASK = (1 << WEIGHT_BITS) - 1;
    private static final int HOME_BITS = 13;
    private static final int HOME_MASK = (1 << HOME_BITS) - 1;
    private static final int PARTITION_BITS = 12;
    private static final int PARTITION_MASK = (1 << PARTITION_BITS) - 1;

    private NeighbourHomes() {}

    /** The home, or {@link VertexTable#NO_HOME}. */
    static int home(long places) {
        return ((int) places & HOME_MASK) - 1;
    }

    static long withHome(long places, int home) {
        return places & ~HOME_MASK | home + 1L;
    }

    /** The weight of counter {@code i}, 0 to 65535, in units of 1 / {@value #ONE}. */
    public static int weight(long weights, int i) {
        return (int) (weights >>> i * WEIGHT_BITS) & WEIGHT_MASK;
    }

    /** The partition of counter {@code i}. */
    public static int partition(long places, int i) {
        return (int) (places >>> HOME_BITS + i * PARTITION_BITS) & PARTITION_MASK;
    }

    /** The weights a neighbour later: each decayed. At most {@value #ONE} / (1 - .95) is ever reached, so they fit. */
    static long decayed(long weights) {
        long decayed = 0;
        for (int i = 0; i < COUNTERS; i++) {
            decayed |= ((long) weight(weights, i) * DECAY >>> 16) << i * WEIGHT_BITS;
        }
        return decayed;
    }

    /** Returns the counter of a partition, or else the one that it takes over: the first of the lightest. */
    static int counterOf(int partition, long weights, long places) {
        int lightest = 0;
        for (int i = 0; i < COUNTERS; i++) {
            int weight = weight(weights, i);
            if (weight != 0 && partition(places, i) == partition) {
                return i;
            }
            if (weight < weight(weights, lightest)) {
                lightest = i;
            }
        }
        return lightest;
    }

    static long withWeight(long weights, int i, int weight) {
        int shift = i * WEIGHT_BITS;
        return weights & ~((long) WEIGHT_MASK << shift) | (long) weight << shift;
    }

    static long withPartition(long places, int i, int partition) {
        int shift = HOME_BITS + i * PARTITION_BITS;
        return places & ~((long) PARTITION_MASK << shift) | (long) partition << shift;
    }
}
