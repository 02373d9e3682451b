package io.cutwater.state.table;

/**
 * The cluster column of a vertex: the id of its cluster, and what was known of that cluster when the column was written
 * last, so that it travels with the vertex. 0 stands for no cluster.
 *
 * <pre>
 *   bits 0 to 39    id, at least 1
 *   bits 40 to 50   volume of the cluster, rounded down to 6 significant bits; 0: nothing is said of the cluster
 *   bits 51 to 63   partition of the cluster + 1, 0 for none
 * </pre>
 */
public final class ClusterLabel {
    /** Stands for a cluster without a partition. */
    public static final int NOWHERE = -1;

    static final int ID_BITS = 40;
    private static final int PARTITION_SHIFT = 51;
    private static final long ID = (1L << ID_BITS) - 1;
    private static final int VOLUME = (1 << (PARTITION_SHIFT - ID_BITS)) - 1;
    private static final int MANTISSA_BITS = 5;
    private static final int MANTISSA = (1 << MANTISSA_BITS) - 1;

    private ClusterLabel() {}

    /**
     * Returns a label.
     *
     * @param id 1 to 2⁴⁰ − 1
     * @param partition of the cluster, or {@link #NOWHERE}
     * @param volume of the cluster; below 1 it counts as 1
     */
    public static long of(long id, int partition, long volume) {
        return id | (partition + 1L) << PARTITION_SHIFT | code(Math.max(1, volume)) << ID_BITS;
    }

    private static long code(long volume) {
        int shift = Long.SIZE - Long.numberOfLeadingZeros(volume) - 1 - MANTISSA_BITS;
        return shift < 0 ? volume : (shift + 1L) << MANTISSA_BITS | volume >>> shift & MANTISSA;
    }

    public static long id(long label) {
        return label & ID;
    }

    /** The partition of the cluster, or {@link #NOWHERE}. */
    public static int partition(long label) {
        return (int) (label >>> PARTITION_SHIFT) - 1;
    }

    /** The volume of the cluster, at most 3 % too small; 0 if nothing is said of the cluster. */
    public static long volume(long label) {
        int code = (int) (label >>> ID_BITS) & VOLUME;
        int shift = (code >>> MANTISSA_BITS) - 1;
        return shift < 0 ? code : (code & MANTISSA | MANTISSA + 1L) << shift;
    }

    /** Returns whether two labels name the same cluster on the same partition. */
    static boolean areAlike(long one, long other) {
        return ((one ^ other) & ~((long) VOLUME << ID_BITS)) == 0;
    }
}
