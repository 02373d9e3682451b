package io.cutwater.trainer.linked;

/** Addresses of vertices: the home (upper 32 bits) and the local number there (lower 32 bits). */
public final class Address {
    private Address() {}

    /** Returns the address of a vertex. */
    public static long of(int shard, int local) {
        return (long) shard << Integer.SIZE | local;
    }

    /** Returns the home of a vertex. */
    public static int shard(long vertex) {
        return (int) (vertex >>> Integer.SIZE);
    }

    /** Returns the local number of a vertex at its home. */
    public static int local(long vertex) {
        return (int) vertex;
    }
}
