package io.cutwater.state.store;

import org.jspecify.annotations.Nullable;

/**
 * A store of the vertices that are not in the table, or of edges by key: RocksDB in the job, empty in tests over an
 * array.
 */
public interface VertexStore {
    /** The bytes last written for the vertex, null if there are none. */
    byte @Nullable [] read(long vertex);

    /**
     * Reads many vertices at once.
     *
     * @param vertices distinct ids, the first {@code count} entries, in no order
     * @param into receives the bytes of each, null where there are none
     */
    default void read(long[] vertices, int count, byte[] @Nullable [] into) {
        for (int i = 0; i < count; i++) {
            into[i] = read(vertices[i]);
        }
    }

    /**
     * Begins to read many vertices at once, and may go on with that beside the caller, who leaves the arrays alone
     * until {@link #await}. It reads what was written before.
     *
     * @param vertices distinct ids, the first {@code count} entries, in no order
     * @param into receives the bytes of each, null where there are none
     */
    default void startRead(long[] vertices, int count, byte[] @Nullable [] into) {
        read(vertices, count, into);
    }

    /** Waits until everything is read and written. */
    default void await() {}

    /** Returns whether {@link #startRead} and {@link #write} go on beside the caller. */
    default boolean isConcurrent() {
        return false;
    }

    /**
     * Writes many vertices at once. The arrays are the caller's again when it returns; the bytes of a record are not.
     *
     * @param vertices ids, the first {@code count} entries, in no order
     * @param values encoded records, the first {@code count} entries; null for a removed vertex
     */
    void write(long[] vertices, byte[] @Nullable [] values, int count);

    /** Is told of a vertex that the table creates, because neither has it. */
    default void created(long vertex) {}

    /** A store that holds nothing and takes nothing: the table then keeps every vertex and cannot be flushed. */
    VertexStore NONE = new VertexStore() {
        @Override
        public byte @Nullable [] read(long vertex) {
            return null;
        }

        @Override
        public void write(long[] vertices, byte[] @Nullable [] values, int count) {
            throw new IllegalStateException(
                    "there is no store to write %d vertices to; give the table one, or memory for every vertex"
                            .formatted(count));
        }
    };
}
