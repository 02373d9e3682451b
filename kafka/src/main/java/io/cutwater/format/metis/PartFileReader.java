package io.cutwater.format.metis;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.text.Lines;
import io.cutwater.format.text.NumberScanner;
import io.cutwater.state.table.VertexLayout;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A reader of another tool's {@code .part} file: one 0-based partition per line. For edge partitioning, line {@code i}
 * is the partition of edge {@code i} of the edge file; for vertex partitioning (METIS, KaHIP), that of the vertex with
 * the 0-based id {@code i}. Only the number of lines tells them apart. Reads {@code .gz} and {@code .zst} too.
 */
public final class PartFileReader implements Closeable {
    private final Path file;
    private final Lines lines;
    private final NumberScanner scanner = new NumberScanner();

    private PartFileReader(Path file, Lines lines) {
        this.file = file;
        this.lines = lines;
    }

    /** @throws IOException if the file cannot be read; the message is meant for users */
    public static PartFileReader open(Path file) throws IOException {
        return new PartFileReader(file, Lines.open(file, EdgeFilePosition.START));
    }

    /** Reads the whole file; returns the partition of every line. */
    public static int[] readAll(Path file) throws IOException {
        try (PartFileReader reader = open(file)) {
            int[] partitions = new int[1 << 16];
            int size = 0;
            for (int count; (count = reader.read(partitions, size, partitions.length)) > 0; ) {
                size += count;
                if (size == partitions.length) {
                    partitions = Arrays.copyOf(partitions, Math.addExact(size, size));
                }
            }
            return Arrays.copyOf(partitions, size);
        }
    }

    /**
     * Reads lines into {@code into[from]} to {@code into[to - 1]}.
     *
     * @return the number of lines, smaller than the room only at the end of the file
     * @throws IOException if a line is not a partition number from 0 to 4095; the message names file and line
     */
    public int read(int[] into, int from, int to) throws IOException {
        int i = from;
        while (i < to && lines.next()) {
            into[i++] = partition();
        }
        return i - from;
    }

    private int partition() throws IOException {
        byte[] line = lines.bytes();
        int start = NumberScanner.skipBlanks(line, lines.from(), lines.to());
        int end = scanner.scanInteger(line, start, lines.to());
        long partition = scanner.integer();
        if (end < 0
                || NumberScanner.skipBlanks(line, end, lines.to()) < lines.to()
                || partition < 0
                || partition >= VertexLayout.MAX_PARTITIONS) {
            throw new IOException("%s: line %d must be one partition number from 0 to %d, not %s."
                    .formatted(
                            file,
                            lines.number(),
                            VertexLayout.MAX_PARTITIONS - 1,
                            NumberScanner.quote(line, start, lines.to())));
        }
        return (int) partition;
    }

    /** Returns the number of lines read so far. */
    long linesRead() {
        return lines.number();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
