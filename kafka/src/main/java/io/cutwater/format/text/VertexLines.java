package io.cutwater.format.text;

import io.cutwater.format.EdgeFilePosition;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The lines of a file with one line per vertex. Lines that begin with # or % are skipped. An empty line is an error,
 * because it would be unclear which vertex the next line describes.
 */
public final class VertexLines implements Closeable {
    private final Path file;
    private final Lines lines;

    public VertexLines(Path file) throws IOException {
        this.file = file;
        lines = Lines.open(file, EdgeFilePosition.START);
    }

    /** Advances to the line of the next vertex; returns false at the end of the file. */
    public boolean next() throws IOException {
        while (lines.next()) {
            if (lines.isTooLong()) {
                throw wrong("is longer than 1 MiB; save the features as .npy");
            }
            byte first = from() < to() ? bytes()[from()] : 0;
            if (first != '#' && first != '%') {
                if (from() == to()) {
                    throw wrong("is empty; each vertex has a line");
                }
                return true;
            }
        }
        return false;
    }

    public byte[] bytes() {
        return lines.bytes();
    }

    /** Returns the index of the first byte of the line after its leading blanks. */
    public int from() {
        return NumberScanner.skipBlanks(lines.bytes(), lines.from(), lines.to());
    }

    public int to() {
        return lines.to();
    }

    /** @param predicate the rest of the message after "line N", such as "has no label" */
    public IOException wrong(String predicate) {
        return new IOException("%s: line %d %s.".formatted(file, lines.number(), predicate));
    }

    public long bytesRead() {
        return lines.bytesRead();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
