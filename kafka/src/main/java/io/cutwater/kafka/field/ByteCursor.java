package io.cutwater.kafka.field;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the binary values of Avro and Protobuf one after the other. Every length is compared with the bytes that are
 * left before anything is allocated or skipped; the decoder of the Avro library allocates first, and takes a negative
 * length as a step back.
 */
public final class ByteCursor {
    private static final int MAX_VARINT_BYTES = 10;
    private static final char REPLACEMENT = '\uFFFD';
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = {};
    private int at;
    private int end;

    /** Goes to a place in the bytes of a record; their last one ends it. */
    public void open(byte[] record, int from) {
        bytes = record;
        at = from;
        end = record.length;
    }

    /** Number of bytes that are left. */
    public int left() {
        return end - at;
    }

    /** Reads a byte, 0 to 255. */
    public int next() {
        if (at == end) {
            throw truncated(1);
        }
        return bytes[at++] & 0xff;
    }

    /**
     * Reads an unsigned integer of 7 bits per byte, the lowest first.
     *
     * @throws MalformedBytesException if it ends too soon or has more than 64 bits
     */
    public long varint() {
        if (at < end && bytes[at] >= 0) {
            return bytes[at++];
        }
        long value = 0;
        for (int i = 0; i < MAX_VARINT_BYTES; i++) {
            int b = next();
            value |= (long) (b & 0x7f) << 7 * i;
            if (b < 0x80) {
                if (i == MAX_VARINT_BYTES - 1 && b > 1) {
                    break;
                }
                return value;
            }
        }
        throw new MalformedBytesException("it has an integer of more than 64 bits before byte %d".formatted(at));
    }

    /** Reads a signed integer whose sign is the lowest bit of a {@link #varint}. */
    public long zigzag() {
        long value = varint();
        return value >>> 1 ^ -(value & 1);
    }

    /** Reads four bytes, the lowest first. */
    public int int32() {
        return (int) INT.get(bytes, step(Integer.BYTES));
    }

    /** Reads eight bytes, the lowest first. */
    public long int64() {
        return (long) LONG.get(bytes, step(Long.BYTES));
    }

    /** Passes over bytes. */
    public void skip(long length) {
        step(length);
    }

    /**
     * Reads UTF-8 into a field.
     *
     * @throws MalformedBytesException if it is not valid: two texts must not become one
     */
    public void text(long length, int field, FieldValues into) {
        int from = step(length);
        int signs = 0;
        for (int i = from; i < at; i++) {
            signs |= bytes[i];
        }
        if (signs >= 0) {
            into.setAscii(field, bytes, from, (int) length);
            return;
        }
        String text = new String(bytes, from, (int) length, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0) { // also where the text has it itself
            byte[] valid = text.getBytes(StandardCharsets.UTF_8);
            if (!Arrays.equals(valid, 0, valid.length, bytes, from, at)) {
                throw new MalformedBytesException(
                        "it has text that is not valid UTF-8, of %d bytes from byte %d".formatted(length, from));
            }
        }
        into.setText(field, text);
    }

    /** Reads bytes. */
    public byte[] bytes(long length) {
        int from = step(length);
        return Arrays.copyOfRange(bytes, from, at);
    }

    /** Passes over bytes and returns where they begin. */
    private int step(long length) {
        if (length < 0 || length > left()) {
            throw truncated(length);
        }
        int from = at;
        at += (int) length;
        return from;
    }

    private MalformedBytesException truncated(long length) {
        return new MalformedBytesException(
                "it is truncated or of another schema: a value of %d bytes begins at byte %d of %d"
                        .formatted(length, at, end));
    }
}
