package io.cutwater.state.store;

import org.jspecify.annotations.Nullable;

/**
 * Edges that are kept so that they can be removed and moved, by vertex: RocksDB in the job, memory in a test.
 *
 * <p>A row belongs to a vertex and says the edges from it to one neighbour, or from that neighbour to it. Row 0 is
 * there if there is any; the caller may have more of them, so that none is long. The bytes are the caller's.
 */
public interface AdjacencyStore {
    /** Receives a row. */
    @FunctionalInterface
    interface RowConsumer {
        /** @param isOutgoing whether the edges lead from {@code vertex} to {@code neighbour}, or back */
        void accept(long vertex, long neighbour, boolean isOutgoing, byte[] row);
    }

    /**
     * The bytes last written for the row, null if there are none.
     *
     * @param number of the row, at least 0
     */
    byte @Nullable [] read(long vertex, long neighbour, boolean isOutgoing, int number);

    /**
     * Writes a row.
     *
     * @param number of the row, at least 0
     * @param row null to delete it
     */
    void write(long vertex, long neighbour, boolean isOutgoing, int number, byte @Nullable [] row);

    /**
     * Writes a row that the store does not have, which can be cheaper than {@link #write}.
     *
     * @param number of the row, at least 0
     */
    default void append(long vertex, long neighbour, boolean isOutgoing, int number, byte[] row) {
        write(vertex, neighbour, isOutgoing, number, row);
    }

    /**
     * Shows all rows of a vertex, those of a neighbour in no particular order. What the consumer writes to that vertex
     * meanwhile may be shown or not.
     */
    void forEach(long vertex, RowConsumer consumer);
}
