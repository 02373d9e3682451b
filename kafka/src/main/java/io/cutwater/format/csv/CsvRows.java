package io.cutwater.format.csv;

import io.cutwater.format.file.HashedFile;
import io.cutwater.format.text.AsciiDigits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes rows of numbers and short words as comma-separated text, directly into bytes. */
public final class CsvRows {
    // The longest text written between two checks of the remaining room: a pair of ids, or one double.
    private static final int MARGIN = 64;

    private final HashedFile file;
    private final byte[] buffer = new byte[HashedFile.BUFFER_BYTES + MARGIN];
    private int size;

    public CsvRows(HashedFile file) {
        this.file = file;
    }

    /** Writes two numbers with a comma between: the whole row of most edges. */
    void pair(long first, long second) throws IOException {
        makeRoom();
        byte[] buffer = this.buffer;
        int at = AsciiDigits.put(buffer, size, first);
        buffer[at++] = ',';
        size = AsciiDigits.put(buffer, at, second);
    }

    public void number(long value) throws IOException {
        makeRoom();
        size = AsciiDigits.put(buffer, size, value);
    }

    /** Writes a whole number without a fraction, and any other number as {@link Double#toString} does. */
    public void number(double value) throws IOException {
        long whole = (long) value;
        if (Double.doubleToRawLongBits((double) whole) == Double.doubleToRawLongBits(value)
                && Math.abs(whole) < 1L << 53) {
            number(whole);
        } else {
            text(Double.toString(value));
        }
    }

    /** Writes ASCII text of at most {@value #MARGIN} characters. */
    void text(String text) throws IOException {
        makeRoom();
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, buffer, size, bytes.length);
        size += bytes.length;
    }

    void comma() throws IOException {
        separator(',');
    }

    public void separator(char separator) throws IOException {
        makeRoom();
        buffer[size++] = (byte) separator;
    }

    public void endRow() throws IOException {
        separator('\n');
    }

    private void makeRoom() throws IOException {
        if (size >= HashedFile.BUFFER_BYTES) {
            drain();
        }
    }

    /** Writes the buffered bytes to the file; the last call before the file is closed. */
    public void drain() throws IOException {
        file.write(buffer, 0, size);
        size = 0;
    }
}
