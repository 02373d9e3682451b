package io.cutwater.kafka.file;

import io.cutwater.kafka.record.NumberScanner;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The lines of a file that has one line for each vertex. Lines that begin with # or % are passed over; an empty one
 * would leave open which vertex the next is about, so it is refused.
 */
final class VertexLines implements Closeable {
    private final Path file;
    private final Lines lines;

    VertexLines(Path file) throws IOException {
        this.file = file;
        lines = new Lines(ByteSource.open(file), 0, 0);
    }

    /** Moves on to the next vertex' line; false at the end of the file. */
    boolean next() throws IOException {
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

    byte[] bytes() {
        return lines.bytes();
    }

    /** Where the line begins, behind its blanks. */
    int from() {
        return NumberScanner.skipBlanks(lines.bytes(), lines.from(), lines.to());
    }

    int to() {
        return lines.to();
    }

    /** @param predicate what the line is or does that it should not */
    IOException wrong(String predicate) {
        return new IOException("%s: line %d %s.".formatted(file, lines.number(), predicate));
    }

    long bytesRead() {
        return lines.bytesRead();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
