package io.cutwater.format.csv;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.text.Lines;
import io.cutwater.format.text.NumberScanner;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Reads the comma-separated files that {@link CsvTables} writes; any other content is an error that names its line. */
final class CsvScanner implements Closeable {
    private final Path file;
    private final Lines lines;
    private final NumberScanner numbers = new NumberScanner();
    private final byte[] buffer;
    private final String header;
    private int rowEnd;
    private int at;

    CsvScanner(Path file) throws IOException {
        this.file = file;
        lines = Lines.open(file, EdgeFilePosition.START);
        buffer = lines.bytes();
        header = nextRow() ? new String(buffer, at, rowEnd - at, StandardCharsets.UTF_8) : "";
    }

    String header() {
        return header;
    }

    void expectHeader(String expected) throws IOException {
        if (!header.equals(expected)) {
            throw new IOException("%s begins with '%s', but must begin with '%s'".formatted(file, header, expected));
        }
    }

    /** Goes to the next line; returns false at the end of the file. */
    boolean nextRow() throws IOException {
        if (!lines.next()) {
            return false;
        }
        at = lines.from();
        rowEnd = lines.to();
        if (lines.isTooLong()) {
            throw wrong("the line is longer than 1 MiB");
        }
        if (!lines.hasEnd()) {
            throw wrong("the line has no end");
        }
        return true;
    }

    /** Reads the number in the next field. */
    long number() throws IOException {
        int from = at;
        return parse(from, endOfField());
    }

    /** Reads the number in the next field; {@code absent} if the field is empty. */
    long number(long absent) throws IOException {
        int from = at;
        int to = endOfField();
        return from == to ? absent : parse(from, to);
    }

    /** Reads the decimal number in the next field; {@code absent} if the field is empty. */
    double decimal(double absent) throws IOException {
        int from = at;
        int to = endOfField();
        if (from == to) {
            return absent;
        }
        String text = new String(buffer, from, to - from, StandardCharsets.US_ASCII);
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw wrong("'%s' is no number".formatted(text));
        }
    }

    /** Reads the numbers in the next field, separated by bars; returns how many there are. */
    int numbers(int[] out) throws IOException {
        int from = at;
        int to = endOfField();
        int count = 0;
        for (int i = from; i <= to; i++) {
            if (i == to || buffer[i] == '|') {
                if (count == out.length) {
                    throw wrong("there are more than %d replicas".formatted(out.length));
                }
                out[count++] = (int) parse(from, i);
                from = i + 1;
            }
        }
        return count;
    }

    /** Returns whether the next field is the first of two words; any other word than these two is an error. */
    boolean choice(String first, String second) throws IOException {
        int from = at;
        int to = endOfField();
        if (spells(first, from, to)) {
            return true;
        }
        if (!spells(second, from, to)) {
            throw wrong("there should be '%s' or '%s'".formatted(first, second));
        }
        return false;
    }

    private boolean spells(String word, int from, int to) {
        boolean same = word.length() == to - from;
        for (int i = from; same && i < to; i++) {
            same = buffer[i] == word.charAt(i - from);
        }
        return same;
    }

    /** Checks that the row has no further field. */
    void endRow() throws IOException {
        if (at != rowEnd + 1) {
            throw wrong("the line has too many fields");
        }
    }

    private int endOfField() throws IOException {
        if (at > rowEnd) {
            throw wrong("the line has too few fields");
        }
        int end = at;
        while (end < rowEnd && buffer[end] != ',') {
            end++;
        }
        at = end + 1;
        return end;
    }

    private long parse(int from, int to) throws IOException {
        if (numbers.scanInteger(buffer, from, to) != to) {
            String field = new String(buffer, from, to - from, StandardCharsets.UTF_8);
            throw wrong("'%s' is no 64-bit integer".formatted(field));
        }
        return numbers.integer();
    }

    private IOException wrong(String what) {
        return new IOException("%s, line %d: %s".formatted(file, lines.number(), what));
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
