package io.cutwater.format.text;

import java.nio.charset.StandardCharsets;

/** Writes longs as decimal digits, directly into bytes. */
public final class AsciiDigits {
    /** The length of the longest number, {@link Long#MIN_VALUE}. */
    public static final int MAX_BYTES = 20;

    private static final byte[] MIN_VALUE = Long.toString(Long.MIN_VALUE).getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TENS = new byte[100];
    private static final byte[] ONES = new byte[100];

    static {
        for (int i = 0; i < 100; i++) {
            TENS[i] = (byte) ('0' + i / 10);
            ONES[i] = (byte) ('0' + i % 10);
        }
    }

    private AsciiDigits() {}

    /** Writes a number and returns the index after its last digit. */
    public static int put(byte[] out, int at, long value) {
        int begin = at;
        long rest = value;
        if (rest < 0) {
            if (rest == Long.MIN_VALUE) {
                System.arraycopy(MIN_VALUE, 0, out, at, MAX_BYTES);
                return at + MAX_BYTES;
            }
            out[begin++] = '-';
            rest = -rest;
        }
        int end = begin + length(rest);
        int i = end;
        while (rest > Integer.MAX_VALUE) {
            long hundreds = rest / 100;
            int pair = (int) (rest - hundreds * 100);
            out[--i] = ONES[pair];
            out[--i] = TENS[pair];
            rest = hundreds;
        }
        int small = (int) rest; // 32-bit division is cheaper
        while (small >= 100) {
            int hundreds = small / 100;
            int pair = small - hundreds * 100;
            out[--i] = ONES[pair];
            out[--i] = TENS[pair];
            small = hundreds;
        }
        out[--i] = ONES[small];
        if (small >= 10) {
            out[--i] = TENS[small];
        }
        return end;
    }

    private static int length(long value) {
        int length = 1;
        long bound = 10;
        while (length < 19 && value >= bound) {
            bound *= 10;
            length++;
        }
        return length;
    }
}
