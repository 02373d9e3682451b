package io.cutwater.state.text;

/** The second hashes of ids seen lately, in a table of fixed size, in which a newer id takes the place of an older. */
public final class CheckCache {
    /** What {@link #check} returns for an id that is not there. */
    public static final long UNKNOWN = 0;

    private final long[] ids;
    private final long[] checks;
    private final int mask;

    /** @param bits the table has room for 2^bits ids, 16 bytes each; 1 to 28 */
    public CheckCache(int bits) {
        ids = new long[1 << bits];
        checks = new long[1 << bits];
        mask = (1 << bits) - 1;
    }

    /** Returns the second hash of an id, or {@link #UNKNOWN}. */
    public long check(long id) {
        int slot = (int) id & mask; // ids are hashes
        return ids[slot] == id ? checks[slot] : UNKNOWN;
    }

    /** @param check not {@link #UNKNOWN} */
    public void put(long id, long check) {
        int slot = (int) id & mask;
        ids[slot] = id;
        checks[slot] = check;
    }
}
