package io.cutwater.state.store;

import java.util.function.Function;

/** A reader of bytes and of LEB128 numbers as {@link VarintWriter} writes them. It is reused from record to record. */
public final class VarintReader {
    private final String record;
    private final Function<String, ? extends RuntimeException> error;
    private byte[] bytes = {};
    private int position;
    private int end;

    /**
     * @param record describes the records in messages, for example "a stored vertex"
     * @param error creates the exception for malformed bytes from a message
     */
    public VarintReader(String record, Function<String, ? extends RuntimeException> error) {
        this.record = record;
        this.error = error;
    }

    /** Begins at the first byte of a record. */
    public void start(byte[] bytes) {
        start(bytes, bytes.length);
    }

    /** Begins at the first byte of a record that ends after so many bytes of an array. */
    public void start(byte[] bytes, int end) {
        this.bytes = bytes;
        this.end = end;
        position = 0;
    }

    /** Reads a number of at most 64 bits. */
    public long read() {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            long next = readByte();
            number |= (next & 0x7F) << shift;
            if (next < 0x80) {
                return number;
            }
        }
        throw error.apply("%s holds a number of more than 64 bits".formatted(record));
    }

    /** Reads a number as {@link VarintWriter#writeSigned} writes it. */
    public long readSigned() {
        long number = read();
        return number >>> 1 ^ -(number & 1);
    }

    /** Passes over some bytes; returns the position of the first of them. */
    public int skip(int length) {
        if (length < 0 || length > remaining()) {
            throw error.apply("%s is truncated after %d bytes".formatted(record, end));
        }
        position += length;
        return position - length;
    }

    /** Reads a byte, 0 to 255. */
    public int readByte() {
        if (position == end) {
            throw error.apply("%s is truncated after %d bytes".formatted(record, position));
        }
        return bytes[position++] & 0xFF;
    }

    /** Returns the number of bytes that are not read yet. */
    public int remaining() {
        return end - position;
    }

    /** Refuses bytes after the record. */
    public void checkEnd() {
        if (position != end) {
            throw error.apply("%s ends after %d bytes, but there are %d".formatted(record, position, end));
        }
    }
}
