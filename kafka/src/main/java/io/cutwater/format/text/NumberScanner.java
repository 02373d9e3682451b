package io.cutwater.format.text;

import java.nio.charset.StandardCharsets;

/**
 * Scans fields and numbers in bytes of text. Fields are separated by one comma with optional blanks around it, or by
 * blanks alone; a blank is a space or a tab. Two adjacent commas enclose an empty field. Not thread-safe: use one
 * scanner per thread.
 *
 * <p>{@code from} is always the first byte to scan and {@code to} the byte after the last one.
 */
public final class NumberScanner {
    /** The field is not a number. */
    public static final int NOT_A_NUMBER = -1;
    /** The field is an integer outside 64 bits. */
    public static final int OUT_OF_RANGE = -2;

    /** The number of digits that always fit a long. */
    private static final int SAFE_DIGITS = 18;

    private static final long EXACT_DOUBLES = 1L << 53;
    private static final double[] POWERS_OF_TEN = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18
    };

    private long integer;
    private double decimal;

    /** Returns whether the byte is a blank or other ASCII white space, such as a line end. */
    public static boolean isWhiteSpace(byte b) {
        return b == ' ' || (b >= '\t' && b <= '\r');
    }

    /** Returns the index of the first byte that is not white space; {@code to} if there is none. */
    static int skipWhiteSpace(byte[] line, int from, int to) {
        int i = from;
        while (i < to && isWhiteSpace(line[i])) {
            i++;
        }
        return i;
    }

    // A line end is not a separator: two edges in one record would be read as one edge with a weight.
    private static boolean isSeparator(byte b) {
        return b == ',' || isBlank(b);
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /** Returns the index of the first byte that is not a blank; {@code to} if there is none. */
    public static int skipBlanks(byte[] line, int from, int to) {
        int i = from;
        while (i < to && isBlank(line[i])) {
            i++;
        }
        return i;
    }

    /**
     * Skips a separator.
     *
     * @param end where a field ends
     * @return where the next field begins, {@code to} if there is none
     */
    public static int nextField(byte[] line, int end, int to) {
        int i = skipBlanks(line, end, to);
        return i < to && line[i] == ',' ? skipBlanks(line, i + 1, to) : i;
    }

    /** Returns the end of the field that begins at {@code from}. */
    static int endOfField(byte[] line, int from, int to) {
        int i = from;
        while (i < to && !isSeparator(line[i])) {
            i++;
        }
        return i;
    }

    /** Quotes the field that begins at {@code from} for a message: printable, and cut to a short length. */
    public static String quote(byte[] line, int from, int to) {
        return Excerpt.of(line, from, endOfField(line, from, to));
    }

    /**
     * Reads a signed 64-bit integer in decimal digits that fills a whole field.
     *
     * @return where the field ends, or {@link #NOT_A_NUMBER} or {@link #OUT_OF_RANGE}
     */
    public int scanInteger(byte[] line, int from, int to) {
        int i = from;
        boolean isNegative = i < to && line[i] == '-';
        if (isNegative || (i < to && line[i] == '+')) {
            i++;
        }
        int first = i;
        int safe = Math.min(to, first + SAFE_DIGITS);
        long value = 0;
        while (i < safe) {
            int digit = line[i] - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            value = value * 10 + digit;
            i++;
        }
        if (i < to && !isSeparator(line[i])) {
            return i == first + SAFE_DIGITS ? scanFurtherDigits(line, i, to, isNegative, value) : NOT_A_NUMBER;
        }
        integer = isNegative ? -value : value;
        return i == first ? NOT_A_NUMBER : i;
    }

    /** Scans the digits that may overflow: the sum turns negative, because one digit cannot carry it further. */
    private int scanFurtherDigits(byte[] line, int from, int to, boolean isNegative, long head) {
        long value = head;
        boolean fits = true;
        int i = from;
        for (; i < to && !isSeparator(line[i]); i++) {
            int digit = line[i] - '0';
            if (digit < 0 || digit > 9) {
                return NOT_A_NUMBER;
            }
            fits &= value >= 0 && value <= Long.MAX_VALUE / 10;
            value = value * 10 + digit;
        }
        integer = isNegative ? -value : value;
        // The negative range reaches one further.
        return fits && (value >= 0 || (isNegative && value == Long.MIN_VALUE)) ? i : OUT_OF_RANGE;
    }

    /** Returns the number that {@link #scanInteger} read. */
    public long integer() {
        return integer;
    }

    /**
     * Reads a finite decimal number, with or without an exponent, that fills a whole field.
     *
     * @return where the field ends, or {@link #NOT_A_NUMBER}
     */
    public int scanDecimal(byte[] line, int from, int to) {
        int i = from;
        boolean isNegative = i < to && line[i] == '-';
        if (isNegative || (i < to && line[i] == '+')) {
            i++;
        }
        int first = i;
        int safe = Math.min(to, first + SAFE_DIGITS);
        int point = -1;
        long digits = 0;
        for (; i < safe; i++) {
            int digit = line[i] - '0';
            if (digit >= 0 && digit <= 9) {
                digits = digits * 10 + digit;
            } else if (line[i] == '.' && point < 0) {
                point = i;
            } else {
                break;
            }
        }
        int digitCount = i - first - (point < 0 ? 0 : 1);
        if (digitCount == 0 || digits >= EXACT_DOUBLES || (i < to && !isSeparator(line[i]))) {
            return scanAnyDecimal(line, from, to);
        }
        // Both are exact, so the quotient is rounded once: to the nearest double, as the library does.
        double magnitude = point < 0 ? digits : digits / POWERS_OF_TEN[i - point - 1];
        decimal = isNegative ? -magnitude : magnitude;
        return i;
    }

    private int scanAnyDecimal(byte[] line, int from, int to) {
        int end = endOfField(line, from, to);
        for (int i = from; i < end; i++) {
            // The library also accepts hexadecimal numbers, names such as NaN, and a type suffix.
            if ("0123456789+-.eE".indexOf(line[i]) < 0) {
                return NOT_A_NUMBER;
            }
        }
        try {
            decimal = Double.parseDouble(new String(line, from, end - from, StandardCharsets.ISO_8859_1));
        } catch (NumberFormatException e) {
            return NOT_A_NUMBER;
        }
        return Double.isFinite(decimal) ? end : NOT_A_NUMBER;
    }

    /** Returns the number that {@link #scanDecimal} read. */
    double decimal() {
        return decimal;
    }
}
