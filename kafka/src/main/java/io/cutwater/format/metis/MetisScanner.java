package io.cutwater.format.metis;

import io.cutwater.format.file.ByteSource;
import io.cutwater.format.text.NumberScanner;
import java.io.Closeable;
import java.io.IOException;

/**
 * The numbers of a METIS file, one after the other: a line may be longer than any buffer, for a vertex may have many
 * neighbours.
 */
public final class MetisScanner implements Closeable {
    private final ByteSource source;
    private final byte[] buffer = new byte[1 << 17];
    private long base;
    private int at;
    private int limit;
    private long vertex;

    public MetisScanner(ByteSource source) {
        this.source = source;
    }

    /** @param vertex whose line is being read, from 1, for the sentences; 0 in the header */
    void setVertex(long vertex) {
        this.vertex = vertex;
    }

    private String place() {
        return vertex == 0 ? "the header" : "vertex " + vertex;
    }

    /** Where the next byte lies, after decompression. */
    long offset() {
        return base + at;
    }

    /** Goes on to an offset that is not behind the buffer's beginning. */
    void skipTo(long offset) throws IOException {
        long ahead = offset - base;
        if (ahead > limit) {
            source.skip(ahead - limit);
            base = offset;
            at = 0;
            limit = 0;
        } else {
            at = Math.toIntExact(ahead);
        }
    }

    boolean isAtEnd() throws IOException {
        return at == limit && !fill();
    }

    private boolean fill() throws IOException {
        try {
            int count = Math.max(source.read(buffer, 0, buffer.length), 0);
            if (count > 0) {
                base += limit;
                at = 0;
                limit = count;
            }
            return count > 0;
        } catch (IOException e) {
            throw source.unreadable(place(), e);
        }
    }

    /** Passes over blanks; true if the line, or the file, ends there. */
    boolean isAtLineEnd() throws IOException {
        while (!isAtEnd()) {
            byte b = buffer[at];
            if (b == '\n') {
                return true;
            }
            if (!NumberScanner.isWhiteSpace(b)) {
                return false;
            }
            at++;
        }
        return true;
    }

    /** Passes over the line's end, at which {@link #isAtLineEnd()} has found itself. */
    void endLine() throws IOException {
        if (!isAtEnd()) {
            at++;
        }
    }

    /** At the beginning of a line, passes over lines that begin with {@code %}. */
    void skipComments() throws IOException {
        while (!isAtEnd() && buffer[at] == '%') {
            while (!isAtEnd() && buffer[at] != '\n') {
                at++;
            }
            endLine();
        }
    }

    /** Passes over one byte and tells whether it ends a line. */
    boolean skipOneLineEnd() throws IOException {
        return !isAtEnd() && buffer[at++] == '\n';
    }

    /** Reads an unsigned integer that blanks or the line's end follow; {@code what} names it in the sentence. */
    long number(String what) throws IOException {
        if (isAtLineEnd()) {
            throw new IOException(
                    "%s: the line of %s ends where %s should be.".formatted(source.file(), place(), what));
        }
        long value = 0;
        do {
            int digit = buffer[at] - '0';
            if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
                throw new IOException("%s: in the line of %s, at byte %d, %s is not an unsigned 64-bit integer."
                        .formatted(source.file(), place(), offset(), what));
            }
            value = value * 10 + digit;
            at++;
        } while (!isAtEnd() && !NumberScanner.isWhiteSpace(buffer[at]));
        return value;
    }

    long bytesRead() {
        return source.bytesRead();
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
