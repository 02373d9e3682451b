package io.cutwater.state.edges;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.store.VarintReader;
import io.cutwater.state.store.VarintWriter;
import java.util.Arrays;

/**
 * Copies of one edge, the oldest first, and their bytes. It is reused from row to row. Of many copies the latest are in
 * row 0, which also says the numbers of the rows that have all others.
 *
 * <pre>
 *   1 byte    version (low 4 bits = 1 or 2), bit 4: places, bit 5: weights, bit 6: timestamps, bit 7: more than one copy
 *   varint    version 2: number of the row with the oldest copies
 *   varint    version 2: how many such rows there are, their numbers being consecutive
 *   varint    copies − 2, if bit 7; in version 2, which has no bit 7: copies
 *   each copy, what the bits say of:
 *     varint  its place
 *     varint  the bytes of its weight, reversed, so that round numbers are short
 *     varint  its timestamp less that of the copy before (of the first: less 0), its sign in the lowest bit
 * </pre>
 */
final class KeptRow {
    static final int VERSION = 1;
    /** There are further rows. Only where there are, so that most rows are as short as they can be. */
    static final int WITH_ROWS = 2;

    private static final int VERSION_MASK = 0x0F;
    private static final int PLACES_FLAG = 0x10;
    private static final int WEIGHTS_FLAG = 0x20;
    private static final int TIMESTAMPS_FLAG = 0x40;
    private static final int COPIES_FLAG = 0x80;

    private int size;
    private int firstRow;
    private int rows;
    private int[] places = new int[1];
    private double[] weights = new double[1];
    private long[] timestamps = new long[1];
    private final VarintWriter out = new VarintWriter();
    private final VarintReader in = new VarintReader("a row of kept edges", IllegalStateException::new);

    void clear() {
        size = 0;
        rows = 0;
    }

    /** Further rows, which have older copies. */
    int rows() {
        return rows;
    }

    /** Number of the row with the oldest copies, if there are {@link #rows}. */
    int firstRow() {
        return firstRow;
    }

    /** Counts one more row, with the oldest copies of this one; returns its number. */
    int addRow() {
        if (rows == 0) {
            firstRow = 1;
        }
        return Math.addExact(firstRow, rows++);
    }

    /** Removes the row with the oldest copies from the count. */
    void removeFirstRow() {
        firstRow++;
        rows--;
    }

    /** Appends a copy; @param place {@link EdgeBatch#NO_PLACE} in all copies, or in none */
    void add(int place, double weight, long timestamp) {
        int i = size;
        if (i == places.length) {
            int capacity = i + (i >> 1) + 1;
            places = Arrays.copyOf(places, capacity);
            weights = Arrays.copyOf(weights, capacity);
            timestamps = Arrays.copyOf(timestamps, capacity);
        }
        places[i] = place;
        weights[i] = weight;
        timestamps[i] = timestamp;
        size = i + 1;
    }

    /** Removes the oldest copies. */
    void removeFirst(int count) {
        size -= count;
        System.arraycopy(places, count, places, 0, size);
        System.arraycopy(weights, count, weights, 0, size);
        System.arraycopy(timestamps, count, timestamps, 0, size);
    }

    /** The first copy on a partition; −1 if there is none. */
    int find(int place) {
        int i = 0;
        while (i < size && places[i] != place) {
            i++;
        }
        return i == size ? -1 : i;
    }

    int size() {
        return size;
    }

    int place(int i) {
        return places[i];
    }

    void setPlace(int i, int place) {
        places[i] = place;
    }

    double weight(int i) {
        return weights[i];
    }

    long timestamp(int i) {
        return timestamps[i];
    }

    /** All copies, and the numbers of further rows. */
    byte[] toBytes() {
        return toBytes(0, size, rows);
    }

    /** Copies {@code from} to before {@code to}, as a row of their own. */
    byte[] toBytes(int from, int to) {
        return toBytes(from, to, 0);
    }

    private byte[] toBytes(int from, int to, int rows) {
        int copies = to - from;
        int flags = rows > 0 ? WITH_ROWS : VERSION | (copies > 1 ? COPIES_FLAG : 0);
        for (int i = from; i < to; i++) {
            flags |= places[i] == EdgeBatch.NO_PLACE ? 0 : PLACES_FLAG;
            flags |= Double.isNaN(weights[i]) ? 0 : WEIGHTS_FLAG;
            flags |= timestamps[i] == EdgeBatch.NO_TIMESTAMP ? 0 : TIMESTAMPS_FLAG;
        }
        out.truncate(0);
        out.writeByte(flags);
        if (rows > 0) {
            out.write(firstRow);
            out.write(rows);
            out.write(copies);
        } else if (copies > 1) {
            out.write(copies - 2L);
        }
        long before = 0;
        for (int i = from; i < to; i++) {
            if ((flags & PLACES_FLAG) != 0) {
                out.write(places[i]);
            }
            if ((flags & WEIGHTS_FLAG) != 0) {
                out.write(Long.reverseBytes(Double.doubleToLongBits(weights[i])));
            }
            if ((flags & TIMESTAMPS_FLAG) != 0) {
                long difference = timestamps[i] - before;
                out.write(difference << 1 ^ difference >> Long.SIZE - 1);
                before = timestamps[i];
            }
        }
        return out.toBytes();
    }

    /** @throws IllegalStateException if the bytes are of another version, cut short or too long */
    void read(byte[] bytes) {
        in.start(bytes);
        int flags = in.readByte();
        int version = flags & VERSION_MASK;
        if (version != VERSION && version != WITH_ROWS) {
            throw new IllegalStateException("a row of kept edges of version %d; this build reads versions %d and %d"
                    .formatted(version, VERSION, WITH_ROWS));
        }
        clear();
        long copies;
        if (version == WITH_ROWS) {
            firstRow = (int) in.read();
            rows = (int) in.read();
            copies = in.read();
        } else {
            copies = (flags & COPIES_FLAG) == 0 ? 1 : in.read() + 2;
        }
        long timestamp = 0;
        for (long i = 0; i < copies; i++) {
            long place = (flags & PLACES_FLAG) == 0 ? EdgeBatch.NO_PLACE : in.read();
            double weight =
                    (flags & WEIGHTS_FLAG) == 0 ? Double.NaN : Double.longBitsToDouble(Long.reverseBytes(in.read()));
            if ((flags & TIMESTAMPS_FLAG) != 0) {
                long difference = in.read();
                timestamp += difference >>> 1 ^ -(difference & 1);
            }
            add((int) place, weight, (flags & TIMESTAMPS_FLAG) == 0 ? EdgeBatch.NO_TIMESTAMP : timestamp);
        }
        in.checkEnd();
    }
}
