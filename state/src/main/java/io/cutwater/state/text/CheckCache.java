package io.cutwater.state.text;

/**
 * The second hashes of ids seen lately, in a table of fixed size. An id has its place in one of the four ways of a set,
 * which are side by side in one line of the processor's cache; a new id takes the place of the oldest of its set.
 *
 * <p>An entry is one word: 16 bits of the id beside those that choose the set, and 48 bits of the second hash. So a
 * text that is not there passes for one that is with a probability of 2^-48, if both have the same id; if their ids
 * differ, with one below 2^-64 for each entry of a set. A lookup compares all ways without a branch: the processor then
 * goes on while it waits for memory, which at one lookup for each end of an edge is most of the cost.
 */
public final class CheckCache {
    /** Stands for the second hash of an id that has no text. */
    public static final long UNKNOWN = 0;

    private static final int WAY_BITS = 2;
    private static final int WAYS = 1 << WAY_BITS;
    private static final int CHECK_BITS = 48;
    private static final long CHECK_MASK = (1L << CHECK_BITS) - 1;
    private static final long EMPTY = 0;

    // The entries of a set from the newest to the oldest.
    private final long[] entries;
    private final int mask;

    /** @param bits the table has room for 2^bits ids, 8 bytes each; 2 to 26 */
    public CheckCache(int bits) {
        entries = new long[1 << bits];
        mask = (1 << bits - WAY_BITS) - 1;
    }

    private int set(long id) {
        return ((int) id & mask) << WAY_BITS; // ids are hashes
    }

    private static long entry(long id, long check) {
        long entry = id & ~CHECK_MASK | check & CHECK_MASK;
        return entry == EMPTY ? 1 : entry;
    }

    /** Returns whether an id is there, with this second hash. */
    public boolean has(long id, long check) {
        long entry = entry(id, check);
        long[] entries = this.entries;
        int first = set(id);
        long a = entries[first] ^ entry;
        long b = entries[first + 1] ^ entry;
        long c = entries[first + 2] ^ entry;
        long d = entries[first + 3] ^ entry;
        // The sign of x | -x is that of 0 for 0 only.
        return ((a | -a) & (b | -b) & (c | -c) & (d | -d)) >= 0;
    }

    /** Sets the second hash of an id. */
    public void put(long id, long check) {
        int first = set(id);
        int found = find(id, first);
        int at = found < 0 ? first + WAYS - 1 : found;
        System.arraycopy(entries, first, entries, first + 1, at - first);
        entries[first] = entry(id, check);
    }

    /** Returns the place of an id in its set; -1 if it is not there. */
    private int find(long id, int first) {
        for (int at = first; at < first + WAYS; at++) {
            if (entries[at] != EMPTY && (entries[at] ^ id) >>> CHECK_BITS == 0) {
                return at;
            }
        }
        return -1;
    }

    /** Forgets an id, if it is there. */
    public void remove(long id) {
        int first = set(id);
        int at = find(id, first);
        if (at >= 0) {
            System.arraycopy(entries, at + 1, entries, at, first + WAYS - 1 - at);
            entries[first + WAYS - 1] = EMPTY;
        }
    }
}
