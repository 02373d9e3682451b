package io.cutwater.trainer.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;

/** The encoding of rows of numbers in a frame, big-endian; its ordinal is stored. */
public enum RowCoding {
    /** 4 bytes per number. */
    FLOAT32 {
        @Override
        long bytes(int rows, int columns) {
            return (long) rows * columns * Float.BYTES;
        }

        @Override
        void write(float[] values, int count, int columns, ByteBuffer out) {
            out.asFloatBuffer().put(values, 0, count);
            out.position(out.position() + count * Float.BYTES);
        }

        @Override
        void read(ByteBuffer in, float[] into, int count, int columns) {
            in.asFloatBuffer().get(into, 0, count);
        }
    },
    /**
     * A power of two that all numbers are multiplied with (4 bytes), so that the largest fits, then 2 bytes per number:
     * IEEE 754 binary16.
     */
    FLOAT16 {
        @Override
        long bytes(int rows, int columns) {
            return Float.BYTES + (long) rows * columns * Short.BYTES;
        }

        @Override
        void write(float[] values, int count, int columns, ByteBuffer out) {
            float largest = largest(values, 0, count);
            int shift = largest == 0 ? 0 : Math.max(-100, Math.min(100, LARGEST_EXPONENT - Math.getExponent(largest)));
            float scale = (float) Math.scalb(1.0, shift);
            out.putFloat(scale);
            for (int i = 0; i < count; i++) {
                out.putShort(HalfFloat.of(values[i] * scale));
            }
        }

        @Override
        void read(ByteBuffer in, float[] into, int count, int columns) {
            float scale = in.getFloat();
            for (int i = 0; i < count; i++) {
                into[i] = HalfFloat.toFloat(in.getShort()) / scale;
            }
        }
    },
    /**
     * For each row the value of one step (2 bytes, the upper half of a 32-bit float), then 1 signed byte per number.
     */
    INT8 {
        @Override
        long bytes(int rows, int columns) {
            return (long) rows * (Short.BYTES + columns);
        }

        @Override
        void write(float[] values, int count, int columns, ByteBuffer out) {
            for (int at = 0; at < count; at += columns) {
                int bits = Float.floatToIntBits(largest(values, at, columns) / Byte.MAX_VALUE);
                int upper = (bits & 0xFFFF) == 0 ? bits >>> 16 : (bits >>> 16) + 1; // rounded up, so that all fit
                float step = Float.intBitsToFloat(upper << 16);
                out.putShort((short) upper);
                for (int column = 0; column < columns; column++) {
                    out.put((byte) (step == 0 ? 0 : Math.round(values[at + column] / step)));
                }
            }
        }

        @Override
        void read(ByteBuffer in, float[] into, int count, int columns) {
            for (int at = 0; at < count; at += columns) {
                float step = Float.intBitsToFloat(in.getShort() << 16);
                for (int column = 0; column < columns; column++) {
                    into[at + column] = in.get() * step;
                }
            }
        }
    };

    private static final int LARGEST_EXPONENT = 14;

    abstract long bytes(int rows, int columns);

    abstract void write(float[] values, int count, int columns, ByteBuffer out);

    abstract void read(ByteBuffer in, float[] into, int count, int columns);

    /** Returns the name for users. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static RowCoding of(int code) throws IOException {
        if (code >= values().length) {
            throw new IOException("unknown encoding of rows: " + code);
        }
        return values()[code];
    }

    private static float largest(float[] values, int from, int count) {
        float largest = 0;
        for (int i = from; i < from + count; i++) {
            largest = Math.max(largest, Math.abs(values[i]));
        }
        return largest;
    }
}
