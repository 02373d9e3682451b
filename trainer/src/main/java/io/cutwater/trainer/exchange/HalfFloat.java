package io.cutwater.trainer.exchange;

/** Conversion of IEEE 754 binary16 numbers, which the JDK has from version 20 on only. */
final class HalfFloat {
    private static final int MANTISSA_SHIFT = 13;
    private static final int SMALLEST_NORMAL = 0x38800000; // 2^-14
    private static final float SMALLEST_STEP = 0x1p-24f;
    private static final int TOO_LARGE = 0x477FF000; // rounds to 65536
    private static final int BIAS_DIFFERENCE = (127 - 15) << 10;

    private HalfFloat() {}

    /** Returns the nearest number, ties to even; infinite if the magnitude is too large. */
    static short of(float value) {
        int bits = Float.floatToIntBits(value);
        int sign = bits >>> 16 & 0x8000;
        int magnitude = bits & 0x7FFFFFFF;
        if (magnitude > 0x7F800000) {
            return (short) (sign | 0x7E00);
        }
        if (magnitude >= TOO_LARGE) {
            return (short) (sign | 0x7C00);
        }
        if (magnitude < SMALLEST_NORMAL) {
            return (short) (sign | (int) Math.rint(Math.abs(value) / SMALLEST_STEP));
        }
        int rounded = magnitude + 0xFFF + (magnitude >>> MANTISSA_SHIFT & 1);
        return (short) (sign | (rounded >>> MANTISSA_SHIFT) - BIAS_DIFFERENCE);
    }

    static float toFloat(short half) {
        int sign = (half & 0x8000) << 16;
        int exponent = half >>> 10 & 0x1F;
        int mantissa = half & 0x3FF;
        if (exponent == 0) {
            float magnitude = mantissa * SMALLEST_STEP;
            return sign == 0 ? magnitude : -magnitude;
        }
        int upper = exponent == 0x1F ? 0xFF : exponent + 127 - 15;
        return Float.intBitsToFloat(sign | upper << 23 | mantissa << MANTISSA_SHIFT);
    }
}
