package io.cutwater.kafka.file;

import io.cutwater.kafka.record.NumberScanner;

/** Tells the header at the top of a table from its rows. */
final class HeaderLine {
    private HeaderLine() {}

    /** Whether the line's first two fields are names. */
    static boolean is(byte[] line, int from, int to) {
        int second = NumberScanner.nextField(line, NumberScanner.endOfField(line, from, to), to);
        return isName(line, from, to) && isName(line, second, to);
    }

    /** A field with a letter that does not begin as a number does. */
    private static boolean isName(byte[] line, int from, int to) {
        int end = NumberScanner.endOfField(line, from, to);
        if (from == end || "0123456789+-.".indexOf(line[from]) >= 0) {
            return false;
        }
        for (int i = from; i < end; i++) {
            int lower = line[i] | 0x20;
            if (lower >= 'a' && lower <= 'z') {
                return true;
            }
        }
        return false;
    }
}
