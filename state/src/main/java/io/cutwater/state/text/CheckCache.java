package io.cutwater.state.text;

/**
 * The second hashes of ids seen lately, in a table of fixed size. An id has its place in one of the four ways of a set,
 * which are side by side in one line of the processor's cache or two; a new id takes the place of the oldest of its
 * set.
 */
public final class CheckCache {
    /** What {@link #check} returns for an id that is not there. */
    public static final long UNKNOWN = 0;

    private static final int WAY_BITS = 2;
    private static final int ENTRY = 2;
    private static final int SET = ENTRY << WAY_BITS;

    // Entry = id, second hash; the entries of a set from the newest to the oldest.
    private final long[] entries;
    private final int mask;

    /** @param bits the table has room for 2^bits ids, 16 bytes each; 2 to 26 */
    public CheckCache(int bits) {
        entries = new long[ENTRY << bits];
        mask = (1 << bits - WAY_BITS) - 1;
    }

    private int set(long id) {
        return ((int) id & mask) * SET; // ids are hashes
    }

    /** Returns the second hash of an id, or {@link #UNKNOWN}. */
    public long check(long id) {
        long[] entries = this.entries;
        int first = set(id);
        for (int at = first; at < first + SET; at += ENTRY) {
            if (entries[at] == id) {
                return entries[at + 1];
            }
        }
        return UNKNOWN;
    }

    /**
     * Sets the second hash of an id.
     *
     * @param check not {@link #UNKNOWN}
     */
    public void put(long id, long check) {
        int first = set(id);
        int at = first;
        while (at < first + SET - ENTRY && entries[at] != id) {
            at += ENTRY;
        }
        System.arraycopy(entries, first, entries, first + ENTRY, at - first);
        entries[first] = id;
        entries[first + 1] = check;
    }

    /** Forgets an id, if it is there. */
    public void remove(long id) {
        int first = set(id);
        for (int at = first; at < first + SET; at += ENTRY) {
            if (entries[at] == id) {
                entries[at + 1] = UNKNOWN;
            }
        }
    }
}
