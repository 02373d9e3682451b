package io.cutwater.state.edges;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.store.VarintReader;
import io.cutwater.state.store.VarintWriter;
import java.util.Arrays;

/**
 * Copies of one edge, the oldest first, and their bytes. It is reused from row to row. Of many copies the latest are in
 * row 0, which also says the numbers of the rows that have all others. Later copies can be appended to the bytes of row
 * 0, as bytes of this format with one copy.
 *
 * <pre>
 *   1 byte    version (low 4 bits = 1 to 4), bit 4: places, bit 5: weights, bit 6: timestamps, bit 7: more than one copy
 *   varint    versions 2 and 4: number of the row with the oldest copies
 *   varint    versions 2 and 4: how many such rows there are, their numbers being consecutive
 *   varint    copies − 2, if bit 7; in versions 2 and 4, which have no bit 7: copies
 *   each copy, what the bits say of:
 *     varint  its place
 *     varint  the bytes of its weight, reversed, so that round numbers are short
 *     varint  its timestamp less that of the copy before (of the first: less 0), its sign in the lowest bit
 *     varint  its key, −2^63 for none; versions 3 and 4
 * </pre>
 */
final class KeptRow {
    static final int VERSION = 1;
    /** There are further rows. Only where there are, so that most rows are as short as they can be. */
    static final int WITH_ROWS = 2;

    /** Added to the version if a copy has a key. */
    private static final int KEYS = 2;

    private static final int VERSION_MASK = 0x0F;
    private static final int PLACES_FLAG = 0x10;
    private static final int WEIGHTS_FLAG = 0x20;
    private static final int TIMESTAMPS_FLAG = 0x40;
    private static final int COPIES_FLAG = 0x80;

    /** Bits of a place in each byte of its varint. */
    private static final int PLACE_BITS = 7;

    private int size;
    private int firstRow;
    private int rows;
    private int[] places = new int[1];
    private double[] weights = new double[1];
    private long[] timestamps = new long[1];
    private long[] keys = new long[1];
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
    void add(int place, double weight, long timestamp, long key) {
        int i = size;
        if (i == places.length) {
            int capacity = i + (i >> 1) + 1;
            places = Arrays.copyOf(places, capacity);
            weights = Arrays.copyOf(weights, capacity);
            timestamps = Arrays.copyOf(timestamps, capacity);
            keys = Arrays.copyOf(keys, capacity);
        }
        places[i] = place;
        weights[i] = weight;
        timestamps[i] = timestamp;
        keys[i] = key;
        size = i + 1;
    }

    /** Removes the oldest copies. */
    void removeFirst(int count) {
        remove(0, count);
    }

    /** Removes copies from one on. */
    void remove(int from, int count) {
        size -= count;
        int after = size - from;
        System.arraycopy(places, from + count, places, from, after);
        System.arraycopy(weights, from + count, weights, from, after);
        System.arraycopy(timestamps, from + count, timestamps, from, after);
        System.arraycopy(keys, from + count, keys, from, after);
    }

    /** The first copy with a key, any for {@link EdgeBatch#NO_KEY}; −1 if there is none. */
    int findKey(long key) {
        int i = 0;
        while (i < size && key != EdgeBatch.NO_KEY && keys[i] != key) {
            i++;
        }
        return i == size ? -1 : i;
    }

    /** The first copy without a key; −1 if there is none. */
    int findWithoutKey() {
        int i = 0;
        while (i < size && keys[i] != EdgeBatch.NO_KEY) {
            i++;
        }
        return i == size ? -1 : i;
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

    long key(int i) {
        return keys[i];
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
        if (copies == 1 && rows == 0 && isPlain(from)) {
            return plain(places[from]);
        }
        int flags = rows > 0 ? WITH_ROWS : VERSION | (copies > 1 ? COPIES_FLAG : 0);
        boolean hasKeys = false;
        for (int i = from; i < to; i++) {
            hasKeys |= keys[i] != EdgeBatch.NO_KEY;
            flags |= places[i] == EdgeBatch.NO_PLACE ? 0 : PLACES_FLAG;
            flags |= Double.isNaN(weights[i]) ? 0 : WEIGHTS_FLAG;
            flags |= timestamps[i] == EdgeBatch.NO_TIMESTAMP ? 0 : TIMESTAMPS_FLAG;
        }
        out.truncate(0);
        out.writeByte(hasKeys ? flags + KEYS : flags);
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
            if (hasKeys) {
                out.write(keys[i]);
            }
        }
        return out.toBytes();
    }

    private boolean isPlain(int i) {
        return places[i] >= 0
                && places[i] < 1 << 2 * PLACE_BITS
                && Double.isNaN(weights[i])
                && timestamps[i] == EdgeBatch.NO_TIMESTAMP
                && keys[i] == EdgeBatch.NO_KEY;
    }

    /** Returns the row of a copy of which only the place is to be said: that of most edges. */
    private static byte[] plain(int place) {
        byte flags = VERSION | PLACES_FLAG;
        return place < 1 << PLACE_BITS
                ? new byte[] {flags, (byte) place}
                : new byte[] {flags, (byte) (place | 1 << PLACE_BITS), (byte) (place >> PLACE_BITS)};
    }

    /**
     * Reads a row and what was appended to it: rows of later copies, without further rows.
     *
     * @throws IllegalStateException if the bytes are of another version or cut short
     */
    void read(byte[] bytes) {
        in.start(bytes);
        clear();
        do {
            readOne();
        } while (in.remaining() > 0);
    }

    private void readOne() {
        int flags = in.readByte();
        int version = flags & VERSION_MASK;
        if (version < VERSION || version > WITH_ROWS + KEYS) {
            throw new IllegalStateException("a row of kept edges of version %d; this build reads versions %d to %d"
                    .formatted(version, VERSION, WITH_ROWS + KEYS));
        }
        boolean hasKeys = version > WITH_ROWS;
        long copies;
        if (version == WITH_ROWS || version == WITH_ROWS + KEYS) {
            if (size > 0) {
                throw new IllegalStateException("a row of kept edges with older ones in its middle");
            }
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
            long key = EdgeBatch.NO_KEY;
            if ((flags & TIMESTAMPS_FLAG) == 0) {
                timestamp = EdgeBatch.NO_TIMESTAMP;
            }
            if (hasKeys) {
                key = in.read();
            }
            add((int) place, weight, timestamp, key);
        }
    }
}
