package io.cutwater.state.store;

import java.util.Arrays;
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
     * The bytes last written for the row and those appended since, null if there are none.
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
     * Appends bytes to a row, which need not be there. A store can do that without reading the row.
     *
     * @param number of the row, at least 0
     */
    default void append(long vertex, long neighbour, boolean isOutgoing, int number, byte[] bytes) {
        byte[] row = read(vertex, neighbour, isOutgoing, number);
        write(vertex, neighbour, isOutgoing, number, concat(row, bytes));
    }

    /** Returns the bytes of one row and then those of another one, either of which may be missing; null if both are. */
    static byte @Nullable [] concat(byte @Nullable [] first, byte @Nullable [] second) {
        if (first == null || second == null) {
            return first == null ? second : first;
        }
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /**
     * Shows all rows of a vertex, those of a neighbour in no particular order. A row that was appended to may come in
     * several parts. What the consumer writes to that vertex meanwhile may be shown or not.
     */
    void forEach(long vertex, RowConsumer consumer);
}
