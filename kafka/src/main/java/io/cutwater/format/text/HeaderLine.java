package io.cutwater.format.text;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** Recognizes the header at the top of a table. */
final class HeaderLine {
    private static final Set<String> USUAL = Set.of("src dst", "source target", "from to", "u v");

    private HeaderLine() {}

    /** Returns whether the line's first two fields are names. */
    static boolean is(byte[] line, int from, int to) {
        int second = NumberScanner.nextField(line, NumberScanner.endOfField(line, from, to), to);
        return isName(line, from, to) && isName(line, second, to);
    }

    /**
     * Returns whether the first two fields are common titles of the endpoints of an edge: for text whose rows hold
     * names, too.
     */
    static boolean isUsual(byte[] line, int from, int to) {
        int afterFirst = NumberScanner.endOfField(line, from, to);
        int second = NumberScanner.nextField(line, afterFirst, to);
        String first = text(line, from, afterFirst);
        return USUAL.contains(first + ' ' + text(line, second, NumberScanner.endOfField(line, second, to)));
    }

    private static String text(byte[] line, int from, int to) {
        return new String(line, from, to - from, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    }

    /** Returns whether the field has a letter and does not begin like a number. */
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
