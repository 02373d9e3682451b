package io.cutwater.format.metis;

import io.cutwater.format.file.ByteSource;
import io.cutwater.format.text.NumberScanner;
import java.io.Closeable;
import java.io.IOException;

/**
 * Scans the numbers of a METIS file without buffering lines: a vertex may have more neighbours than any buffer holds.
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

    /** @param vertex the vertex of the current line, from 1, for messages; 0 in the header */
    void setVertex(long vertex) {
        this.vertex = vertex;
    }

    private String place() {
        return vertex == 0 ? "the header" : "vertex " + vertex;
    }

    /** Returns the offset of the next byte, after decompression. */
    long offset() {
        return base + at;
    }

    /** Skips to an offset that is not before the beginning of the buffer. */
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

    /** Skips blanks; returns whether the line, or the file, ends there. */
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

    /** Skips the line end that {@link #isAtLineEnd()} found. */
    void endLine() throws IOException {
        if (!isAtEnd()) {
            at++;
        }
    }

    /** Skips lines that begin with {@code %}; called at the beginning of a line. */
    void skipComments() throws IOException {
        while (!isAtEnd() && buffer[at] == '%') {
            while (!isAtEnd() && buffer[at] != '\n') {
                at++;
            }
            endLine();
        }
    }

    /** Skips one byte; returns whether it ends a line. */
    boolean skipOneLineEnd() throws IOException {
        return !isAtEnd() && buffer[at++] == '\n';
    }

    /** Reads an unsigned integer that is followed by blanks or the line end; {@code what} names it in messages. */
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
