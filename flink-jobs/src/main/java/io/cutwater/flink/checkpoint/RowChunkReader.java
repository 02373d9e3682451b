package io.cutwater.flink.checkpoint;

import io.cutwater.state.store.AdjacencyStore;
import io.cutwater.state.store.VarintReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a list of chunks as {@link RowChunkWriter} makes them. It is reused from list to list. */
final class RowChunkReader {
    private final VarintReader in = new VarintReader("a list of kept edges", IllegalStateException::new);
    private long vertex;
    private List<byte[]> chunks = List.of();
    private int chunk;
    private byte[] bytes = {};
    private long neighbour;
    private boolean isOutgoing;
    private int number;
    private int start;
    private int length;
    private int level;
    private long deeperRows;

    /** Begins before the first row of a list; @param list null for an empty one */
    void start(long vertex, @Nullable List<byte[]> list) {
        this.vertex = vertex;
        chunks = list == null ? List.of() : list;
        chunk = 0;
        level = 0;
        deeperRows = 0;
        bytes = new byte[0];
        in.start(bytes);
    }

    /** Begins before the first row of one chunk, which ends after so many bytes. */
    void start(long vertex, byte[] rows, int end) {
        start(vertex, null);
        open(rows, end);
    }

    /** Goes to the next row; returns whether there is one. */
    boolean next() {
        while (in.remaining() == 0) {
            if (chunk == chunks.size()) {
                return false;
            }
            byte[] next = chunks.get(chunk++);
            open(next, next.length);
        }
        long head = in.read();
        isOutgoing = (head & RowChunkWriter.OUTGOING_FLAG) != 0;
        number = (head & RowChunkWriter.NUMBER_FLAG) == 0 ? 0 : (int) in.read();
        neighbour += in.readSigned();
        length = (int) (head >>> RowChunkWriter.LENGTH_SHIFT);
        start = in.skip(length);
        return true;
    }

    private void open(byte[] next, int end) {
        bytes = next;
        in.start(bytes, end);
        int head = in.readByte();
        int version = head & RowChunkWriter.VERSION_MASK;
        if (version != RowChunkWriter.VERSION && version != RowChunkWriter.DISTINCT_ROWS) {
            throw new IllegalStateException(
                    "a list of kept edges of version %d in the checkpoint; this build reads %d and %d"
                            .formatted(version, RowChunkWriter.DISTINCT_ROWS, RowChunkWriter.VERSION));
        }
        neighbour = vertex;
        if ((head & RowChunkWriter.DEEPER_FLAG) != 0) {
            level = Math.max(level, (int) in.read());
            deeperRows += in.readSigned();
            in.checkEnd();
        }
    }

    /** Returns the bytes of all rows with a key in the rest of the list, one after the other; null if there is none. */
    byte @Nullable [] find(long wanted, boolean wantedOutgoing, int wantedNumber) {
        byte[] found = null;
        while (next()) {
            if (neighbour == wanted && isOutgoing == wantedOutgoing && number == wantedNumber) {
                found = AdjacencyStore.concat(found, row());
            }
        }
        return found;
    }

    long neighbour() {
        return neighbour;
    }

    boolean isOutgoing() {
        return isOutgoing;
    }

    int number() {
        return number;
    }

    /** Returns a copy of the bytes of the row. */
    byte[] row() {
        byte[] row = new byte[length];
        System.arraycopy(bytes, start, row, 0, length);
        return row;
    }

    /** Appends the row to a chunk. */
    void copyTo(RowChunkWriter out) {
        out.add(neighbour, isOutgoing, number, bytes, start, length);
    }

    /** The deepest level that has rows of the vertex, as far as the list has been read; 0 if they are all here. */
    int level() {
        return level;
    }

    /** Rows of the vertex in further lists, as far as the list has been read. */
    long deeperRows() {
        return deeperRows;
    }
}
