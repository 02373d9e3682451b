package io.cutwater.format.vertex;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.binary.ExternalSort;
import io.cutwater.format.binary.SortedRows;
import io.cutwater.format.file.FileOperations;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes a file of vertex data from a sequence of records, in which the last record of each vertex counts. Memory is
 * bounded: records are spilled to disk, and 16 bytes of each are sorted there.
 */
public final class VertexDataTable implements Closeable {
    private static final int BUFFER_BYTES = 1 << 18;
    /** The length of a record that removes a vertex. */
    private static final int GONE = -1;

    private final VertexRecordCodec codec = new VertexRecordCodec();
    private final Path file;
    private final FileChannel records;
    private final ExternalSort positions;
    private Columns columns = new Columns();
    private ByteBuffer out = ByteBuffer.allocate(BUFFER_BYTES);

    /** The columns that any row needs. */
    private static final class Columns {
        long rows;
        int features;
        /** a vertex with that many features */
        long widest;
        /** the number of vertices with fewer features, and one of them */
        long narrow;

        long narrowVertex;
        boolean hasLabels;
        boolean hasSplit;

        void add(VertexRecord vertex) {
            rows++;
            int width = vertex.features().width();
            if (rows == 1 || width > features) {
                narrow = rows - 1;
                narrowVertex = rows == 1 ? vertex.vertex() : widest;
                features = width;
                widest = vertex.vertex();
            } else if (width < features) {
                narrow++;
                narrowVertex = vertex.vertex();
            }
            hasLabels |= vertex.label() != VertexRecord.NO_LABEL;
            hasSplit |= vertex.split() != VertexSplit.NONE;
        }
    }

    private interface Visitor {
        void visit(VertexRecord vertex) throws IOException;
    }

    /** @param scratch an existing folder; files in it are deleted by {@link #close} */
    public VertexDataTable(Path scratch) throws IOException {
        file = scratch.resolve("vertex-records.bin");
        positions = ExternalSort.ofPairs(scratch.resolve("vertex-positions.bin"), ExternalSort.RUN_PAIRS);
        boolean isOpen = false;
        try {
            records = FileChannel.open(
                    file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
            isOpen = true;
        } finally {
            if (!isOpen) {
                positions.close();
            }
        }
    }

    /** Sets the data of a vertex, in place of earlier data. */
    public void put(VertexRecord vertex) throws IOException {
        byte[] data = VertexRecordCodec.value(vertex);
        positions.add(vertex.vertex(), records.position() + out.position());
        room(Integer.BYTES + data.length).putInt(data.length).put(data);
    }

    /** Removes the data of a vertex. */
    public void remove(long vertex) throws IOException {
        positions.add(vertex, records.position() + out.position());
        room(Integer.BYTES).putInt(GONE);
    }

    private ByteBuffer room(int bytes) throws IOException {
        if (out.remaining() < bytes) {
            drain();
            out = bytes > out.capacity() ? ByteBuffer.allocate(bytes) : out;
        }
        return out;
    }

    private void drain() throws IOException {
        FileOperations.write(records, out.flip(), file);
        out.clear();
    }

    /**
     * Writes a row for each vertex, in ascending order, as {@code .csv} with a header: {@code id}, {@code label} and
     * {@code split} if any vertex has one, and as many features as the longest record has; missing features are 0.
     *
     * @param table a file to create, whose name must end like that of a table
     * @return the number of rows; if it is 0, there is no file
     */
    public long write(Path table) throws IOException {
        drain();
        columns = new Columns();
        forEach(columns::add);
        if (columns.rows == 0) {
            return 0;
        }
        try (OutputStream csv = new BufferedOutputStream(Files.newOutputStream(table), BUFFER_BYTES)) {
            StringBuilder line = new StringBuilder("id");
            line.append(columns.hasLabels ? ",label" : "").append(columns.hasSplit ? ",split" : "");
            for (int i = 0; i < columns.features; i++) {
                line.append(",f").append(i);
            }
            writeLine(line, csv);
            float[] features = new float[columns.features];
            forEach(vertex -> {
                vertex.features().copyTo(features);
                writeLine(row(vertex, features, columns, line), csv);
            });
        }
        return columns.rows;
    }

    /** Returns the number of written rows with fewer features than the table has columns. */
    public long narrowRows() {
        return columns.narrow;
    }

    /** Returns one of these vertices, if there are any. */
    public long narrowVertex() {
        return columns.narrowVertex;
    }

    /** Returns the number of feature columns written. */
    public int features() {
        return columns.features;
    }

    /** Returns a vertex with that many features. */
    public long widestVertex() {
        return columns.widest;
    }

    private static StringBuilder row(VertexRecord vertex, float[] features, Columns columns, StringBuilder line) {
        line.append(vertex.vertex());
        if (columns.hasLabels) {
            line.append(',').append(vertex.label());
        }
        if (columns.hasSplit) {
            line.append(',').append(vertex.split().label());
        }
        for (float feature : features) {
            line.append(',');
            // Most values are 0 or 1.
            if (feature == (int) feature) {
                line.append((int) feature);
            } else {
                line.append(feature);
            }
        }
        return line;
    }

    private static void writeLine(StringBuilder line, OutputStream csv) throws IOException {
        csv.write(line.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
        line.setLength(0);
    }

    /** Visits the last record of each vertex that is not removed. */
    private void forEach(Visitor visitor) throws IOException {
        SortedRows sorted = positions.sorted();
        boolean isThere = sorted.next();
        while (isThere) {
            long vertex = sorted.first();
            long position = sorted.second();
            isThere = sorted.next();
            if (isThere && sorted.first() == vertex) {
                continue;
            }
            int length = read(position, Integer.BYTES).getInt();
            if (length != GONE) {
                visitor.visit(codec.decode(
                        VertexRecordCodec.key(vertex),
                        read(position + Integer.BYTES, length).array()));
            }
        }
    }

    private ByteBuffer read(long position, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (records.read(bytes, position + bytes.position()) < 0) {
                throw new IOException("%s ended within a record".formatted(file));
            }
        }
        return bytes.flip();
    }

    @Override
    public void close() throws IOException {
        try (positions;
                records) {
            Files.deleteIfExists(file);
        }
    }
}
