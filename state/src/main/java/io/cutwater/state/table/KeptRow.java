package io.cutwater.state.table;

import io.cutwater.state.graph.EdgeBatch;
import java.util.Arrays;

/**
 * The copies of one edge, the oldest first, and their bytes. It is reused from row to row.
 *
 * <pre>
 *   1 byte    version (low 4 bits = 1), bit 4: places, bit 5: weights, bit 6: timestamps, bit 7: more than one copy
 *   varint    copies − 2, if bit 7
 *   each copy, what the bits say of:
 *     varint  its place
 *     varint  the bytes of its weight, reversed, so that round numbers are short
 *     varint  its timestamp less that of the copy before (of the first: less 0), its sign in the lowest bit
 * </pre>
 */
final class KeptRow {
    static final int VERSION = 1;

    private static final int VERSION_MASK = 0x0F;
    private static final int PLACES_FLAG = 0x10;
    private static final int WEIGHTS_FLAG = 0x20;
    private static final int TIMESTAMPS_FLAG = 0x40;
    private static final int COPIES_FLAG = 0x80;
    private static final int MAX_VARINT = 10;

    private int size;
    private int[] places = new int[1];
    private double[] weights = new double[1];
    private long[] timestamps = new long[1];
    private byte[] buffer = new byte[64];
    private int position;

    void clear() {
        size = 0;
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

    void remove(int i) {
        int behind = --size - i;
        System.arraycopy(places, i + 1, places, i, behind);
        System.arraycopy(weights, i + 1, weights, i, behind);
        System.arraycopy(timestamps, i + 1, timestamps, i, behind);
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

    byte[] toBytes() {
        int flags = VERSION | (size > 1 ? COPIES_FLAG : 0) | (places[0] == EdgeBatch.NO_PLACE ? 0 : PLACES_FLAG);
        for (int i = 0; i < size; i++) {
            flags |= Double.isNaN(weights[i]) ? 0 : WEIGHTS_FLAG;
            flags |= timestamps[i] == EdgeBatch.NO_TIMESTAMP ? 0 : TIMESTAMPS_FLAG;
        }
        if (buffer.length < 1 + MAX_VARINT * (1L + 3L * size)) {
            buffer = new byte[Math.multiplyExact(2 * MAX_VARINT, 1 + 3 * size)];
        }
        position = 0;
        buffer[position++] = (byte) flags;
        if (size > 1) {
            writeVarint(size - 2L);
        }
        long before = 0;
        for (int i = 0; i < size; i++) {
            if ((flags & PLACES_FLAG) != 0) {
                writeVarint(places[i]);
            }
            if ((flags & WEIGHTS_FLAG) != 0) {
                writeVarint(Long.reverseBytes(Double.doubleToLongBits(weights[i])));
            }
            if ((flags & TIMESTAMPS_FLAG) != 0) {
                long difference = timestamps[i] - before;
                writeVarint(difference << 1 ^ difference >> Long.SIZE - 1);
                before = timestamps[i];
            }
        }
        return Arrays.copyOf(buffer, position);
    }

    private void writeVarint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            buffer[position++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        buffer[position++] = (byte) rest;
    }

    /** @throws IllegalStateException if the bytes are of another version, cut short or too long */
    void read(byte[] bytes) {
        position = 0;
        int flags = readByte(bytes);
        if ((flags & VERSION_MASK) != VERSION) {
            throw new IllegalStateException("a row of kept edges of version %d; this build reads version %d"
                    .formatted(flags & VERSION_MASK, VERSION));
        }
        long copies = (flags & COPIES_FLAG) == 0 ? 1 : readVarint(bytes) + 2;
        size = 0;
        long timestamp = 0;
        for (long i = 0; i < copies; i++) {
            long place = (flags & PLACES_FLAG) == 0 ? EdgeBatch.NO_PLACE : readVarint(bytes);
            double weight = (flags & WEIGHTS_FLAG) == 0
                    ? Double.NaN
                    : Double.longBitsToDouble(Long.reverseBytes(readVarint(bytes)));
            if ((flags & TIMESTAMPS_FLAG) != 0) {
                long difference = readVarint(bytes);
                timestamp += difference >>> 1 ^ -(difference & 1);
            }
            add((int) place, weight, (flags & TIMESTAMPS_FLAG) == 0 ? EdgeBatch.NO_TIMESTAMP : timestamp);
        }
        if (position != bytes.length) {
            throw new IllegalStateException(
                    "a row of kept edges is %d bytes long and ends after %d".formatted(bytes.length, position));
        }
    }

    private long readVarint(byte[] bytes) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            long next = readByte(bytes);
            value |= (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IllegalStateException("a row of kept edges holds a number of more than 64 bits");
    }

    private int readByte(byte[] bytes) {
        if (position == bytes.length) {
            throw new IllegalStateException("a row of kept edges is cut short after %d bytes".formatted(position));
        }
        return bytes[position++] & 0xFF;
    }
}
