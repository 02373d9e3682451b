package io.cutwater.flink.checkpoint;

import io.cutwater.state.store.VarintWriter;

/**
 * Encodes rows of kept edges of one vertex as an element of a list. It is reused from chunk to chunk.
 *
 * <pre>
 *   1 byte    version (low 4 bits = 2; 1 if no two rows have the same key), bit 4: no rows follow, but a level and a change
 *   each row:
 *     varint  bytes of the row &lt;&lt; 2, bit 1: it has a number other than 0, bit 0: it is of outgoing edges
 *     varint  the number, if bit 1
 *     varint  neighbour less that of the row before (of the first: less the vertex), its sign in the lowest bit
 *     bytes   of the row
 *   or, if bit 4:
 *     varint  the deepest level that has rows of the vertex
 *     varint  how many more rows of the vertex have left its first list, the sign in the lowest bit
 * </pre>
 */
final class RowChunkWriter {
    static final int VERSION = 2;

    /** The version of builds that read a row before they added a copy to it, so that no key comes twice. */
    static final int DISTINCT_ROWS = 1;

    static final int VERSION_MASK = 0x0F;
    static final int DEEPER_FLAG = 0x10;
    static final int LENGTH_SHIFT = 2;
    static final int NUMBER_FLAG = 2;
    static final int OUTGOING_FLAG = 1;

    private final VarintWriter out = new VarintWriter();
    private long before;
    private int rows;

    /** Begins a chunk of a vertex. */
    void start(long vertex) {
        out.truncate(0);
        out.writeByte(VERSION);
        before = vertex;
        rows = 0;
    }

    /** Begins with a row that is appended to a chunk; @param lastNeighbour that of its last row */
    void goOn(long lastNeighbour) {
        out.truncate(0);
        before = lastNeighbour;
        rows = 0;
    }

    /** Appends a row, whose bytes are {@code length} ones of an array. */
    void add(long neighbour, boolean isOutgoing, int number, byte[] bytes, int from, int length) {
        out.write((long) length << LENGTH_SHIFT | (number == 0 ? 0 : NUMBER_FLAG) | (isOutgoing ? OUTGOING_FLAG : 0));
        if (number != 0) {
            out.write(number);
        }
        out.writeSigned(neighbour - before);
        out.write(bytes, from, length);
        before = neighbour;
        rows++;
    }

    /** Returns the neighbour of the last row; the vertex if there is none. */
    long lastNeighbour() {
        return before;
    }

    /** Rows since {@link #start}. */
    int rows() {
        return rows;
    }

    byte[] toBytes() {
        return out.toBytes();
    }

    /** Returns an element that says that rows of a vertex are in further lists. */
    static byte[] deeper(int level, long change) {
        VarintWriter out = new VarintWriter();
        out.writeByte(VERSION | DEEPER_FLAG);
        out.write(level);
        out.writeSigned(change);
        return out.toBytes();
    }
}
