package io.cutwater.state.store;

import java.util.Arrays;

/**
 * A growing array of bytes to which numbers are appended in LEB128: 7 bits a byte, the lowest first, 1 to 10 bytes for
 * 64 bits. It is reused from one record to the next.
 */
public final class VarintWriter {
    private static final int MAX_BYTES = 10;

    private byte[] bytes = new byte[64];
    private int position;

    /** Appends a number, which is taken as unsigned. */
    public void write(long number) {
        if (bytes.length - position < MAX_BYTES) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        long rest = number;
        while ((rest & ~0x7FL) != 0) {
            bytes[position++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[position++] = (byte) rest;
    }

    /** Appends a signed number, with its sign in the lowest bit, so that one near 0 is short. */
    public void writeSigned(long number) {
        write(number << 1 ^ number >> Long.SIZE - 1);
    }

    /** Appends {@code length} bytes of an array. */
    public void write(byte[] from, int at, int length) {
        if (bytes.length - position < length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(position, length)));
        }
        System.arraycopy(from, at, bytes, position, length);
        position += length;
    }

    /** Appends a byte. */
    public void writeByte(int value) {
        if (bytes.length == position) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        bytes[position++] = (byte) value;
    }

    /** Replaces a byte that was appended before. */
    public void setByte(int at, int value) {
        bytes[at] = (byte) value;
    }

    /** Returns the number of bytes so far. */
    public int size() {
        return position;
    }

    /** Drops all bytes but the first {@code size}; 0 begins another record. */
    public void truncate(int size) {
        position = size;
    }

    /** Returns a copy of the bytes. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, position);
    }
}
