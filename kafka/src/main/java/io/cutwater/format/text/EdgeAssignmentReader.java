package io.cutwater.format.text;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.table.VertexLayout;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A reader of another tool's edge assignment: lines {@code u v p}, separated as in edge files, with 0-based partition
 * {@code p}; {@code u} and {@code v} are integers, or names of vertices. A header in the first line, {@code #} and
 * {@code %} comments, and blank lines are skipped. Reads {@code .gz} and {@code .zst} too.
 */
public final class EdgeAssignmentReader implements Closeable {
    private final Path file;
    private final Lines lines;
    private final NumberScanner scanner = new NumberScanner();
    private final long[] fields = new long[3];
    private final @Nullable NameIds names;

    private EdgeAssignmentReader(Path file, Lines lines, @Nullable NameIds names) {
        this.file = file;
        this.lines = lines;
        this.names = names;
    }

    /** @throws IOException if the file cannot be read; the message is meant for users */
    public static EdgeAssignmentReader open(Path file) throws IOException {
        return open(file, null);
    }

    /**
     * Opens a file.
     *
     * @param names the ids of the names of vertices; null for integers
     * @throws IOException if the file cannot be read; the message is meant for users
     */
    public static EdgeAssignmentReader open(Path file, @Nullable NameIds names) throws IOException {
        return new EdgeAssignmentReader(file, Lines.open(file, EdgeFilePosition.START), names);
    }

    /**
     * Clears the batch and fills it with up to {@code partitions.length} edges; edge {@code i} of the batch is on
     * {@code partitions[i]}.
     *
     * @return the number of edges, 0 at the end of the file
     * @throws IOException if a line is not two 64-bit ids and a partition from 0 to 4095
     */
    public int read(EdgeBatch edges, int[] partitions) throws IOException {
        edges.clear();
        while (edges.size() < partitions.length && lines.next()) {
            byte[] line = lines.bytes();
            int start = NumberScanner.skipBlanks(line, lines.from(), lines.to());
            if (start < lines.to() && line[start] != '#' && line[start] != '%' && !isHeader(line, start)) {
                scanFields(line, start, lines.to());
                partitions[edges.size()] = (int) fields[2];
                edges.add(fields[0], fields[1]);
            }
        }
        return edges.size();
    }

    private boolean isHeader(byte[] line, int start) {
        if (lines.number() > 1 || names == null) {
            return lines.number() == 1 && HeaderLine.is(line, start, lines.to());
        }
        int end = start;
        for (int i = 0; i < fields.length - 1; i++) {
            end = NumberScanner.nextField(line, NumberScanner.endOfField(line, end, lines.to()), lines.to());
        }
        return scanner.scanInteger(line, end, lines.to()) < 0; // names look like those of columns, but no partition
    }

    private void scanFields(byte[] line, int from, int to) throws IOException {
        int start = from;
        for (int i = 0; i < fields.length; i++) {
            int end;
            if (names != null && i < fields.length - 1) {
                int next = NumberScanner.endOfField(line, start, to);
                end = next == start ? -1 : next;
                fields[i] = names.id(line, start, next);
            } else {
                end = scanner.scanInteger(line, start, to);
                fields[i] = scanner.integer();
            }
            if (end < 0) {
                throw malformed(start == to ? "it ends too early" : NumberScanner.quote(line, start, to) + " is none");
            }
            start = NumberScanner.nextField(line, end, to);
        }
        if (start < to) {
            throw malformed(NumberScanner.quote(line, start, to) + " is too much");
        }
        if (fields[2] < 0 || fields[2] >= VertexLayout.MAX_PARTITIONS) {
            throw malformed("the partition is " + fields[2]);
        }
    }

    private IOException malformed(String fault) {
        return new IOException("%s: line %d must be the %s source, target and partition, from 0 to %d: %s."
                .formatted(
                        file,
                        lines.number(),
                        names == null ? "integers" : "texts",
                        VertexLayout.MAX_PARTITIONS - 1,
                        fault));
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
