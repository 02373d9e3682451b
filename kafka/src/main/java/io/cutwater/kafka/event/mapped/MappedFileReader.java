package io.cutwater.kafka.event.mapped;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.file.ByteSource;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.format.parquet.ParquetColumns;
import io.cutwater.format.parquet.ParquetEdgeReader;
import io.cutwater.format.text.Lines;
import io.cutwater.kafka.field.CsvFieldReader;
import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.kafka.field.FieldPath;
import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.FieldValues;
import io.cutwater.kafka.field.JsonFieldReader;
import io.cutwater.kafka.field.MalformedBytesException;
import io.cutwater.kafka.textid.TextEnds;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Reads edges from fields of files: of lines that are JSON objects, of rows of a table with a header, or of columns of
 * Parquet. Blank lines, and in a table lines that begin with {@code #} or {@code %}, are skipped.
 */
public final class MappedFileReader implements EdgeFileReader {
    private static final Headers NO_HEADERS = new RecordHeaders();

    private final Lines lines;
    private final boolean isTable;
    private final FieldReader reader;
    private final FieldValues values;
    private final EdgeFields edge;
    private final @Nullable EdgeKeyReader key;

    private MappedFileReader(
            Lines lines, FieldMapping mapping, @Nullable TextEnds texts, CsvFieldReader.@Nullable Header header) {
        this.lines = lines;
        isTable = header != null;
        FieldTree tree = new FieldTree();
        edge = new EdgeFields(tree, mapping, texts);
        key = EdgeKeyReader.ofFiles(tree, mapping);
        reader = header == null ? new JsonFieldReader(tree, false) : new CsvFieldReader(header, tree);
        values = new FieldValues(tree);
    }

    /**
     * Opens a file for reading, from a position that an earlier reader of the same file and mapping returned.
     *
     * @param texts takes the texts at the ends of each edge; null for ends that are integers
     * @throws IOException if the file cannot be read or has no fields, is shorter than the position, or lacks a mapped
     *     column; the message is meant for users
     */
    public static EdgeFileReader open(
            Path file, EdgeFileFormat format, EdgeFilePosition from, FieldMapping mapping, @Nullable TextEnds texts)
            throws IOException {
        ByteSource.checkReadable(file);
        if (FieldMapping.RECORD_KEY.equals(mapping.edgeKey())) {
            throw new IOException("%s has no records with keys, of which --edge-key %s is one. Name a field."
                    .formatted(file, mapping.edgeKey()));
        }
        if (texts != null && format == EdgeFileFormat.PARQUET) {
            throw new IOException(
                    "%s is Parquet, in which ids that are text are not read; write lines of JSON or a table."
                            .formatted(file));
        }
        return switch (format) {
            case JSON -> new MappedFileReader(Lines.open(file, from), mapping, texts, null);
            case TEXT -> table(file, from, mapping, texts);
            case PARQUET ->
                ParquetEdgeReader.open(
                        EdgeFiles.uncompressed(file, "Parquet"),
                        from,
                        new ParquetColumns(
                                column(mapping.source(), file),
                                column(mapping.target(), file),
                                mapping.weight() == null ? null : column(mapping.weight(), file),
                                mapping.timestamp() == null ? null : column(mapping.timestamp(), file),
                                mapping.edgeKey() == null ? null : column(mapping.edgeKey(), file)));
            case METIS, NPY ->
                throw new IOException("%s is %s, whose edges have no named fields. Leave out --source and --target."
                        .formatted(file, format.name().toLowerCase(Locale.ROOT)));
        };
    }

    private static String column(FieldPath path, Path file) throws IOException {
        if (path.names().size() != 1) {
            throw new IOException(
                    "%s has no nested columns that can be read, such as %s. Name a column.".formatted(file, path));
        }
        return path.names().get(0);
    }

    private static EdgeFileReader table(
            Path file, EdgeFilePosition from, FieldMapping mapping, @Nullable TextEnds texts) throws IOException {
        try (Lines top = Lines.open(file, EdgeFilePosition.START)) {
            while (top.next()) {
                byte[] line = line(top);
                if (!isSkipped(line, true)) {
                    CsvFieldReader.Header header = CsvFieldReader.Header.parse(line);
                    mapping.check(header);
                    EdgeFilePosition begin = from.offset() == 0 ? top.position() : from;
                    return new MappedFileReader(Lines.open(file, begin), mapping, texts, header);
                }
            }
        } catch (IllegalArgumentException | MalformedBytesException e) {
            throw new IOException("%s, whose first line names its fields: %s.".formatted(file, e.getMessage()), e);
        }
        throw new IOException("%s is empty; its first line must name its fields.".formatted(file));
    }

    /** Returns the line without a byte order mark. */
    private static byte[] line(Lines lines) {
        return Arrays.copyOfRange(lines.bytes(), lines.fromBehindMark(), lines.to());
    }

    private static boolean isSkipped(byte[] line, boolean isTable) {
        if (isTable && line.length > 0 && (line[0] == '#' || line[0] == '%')) {
            return true;
        }
        for (byte b : line) {
            if (b != ' ' && b != '\t') {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean read(EdgeBatch batch, int maxEdges) throws IOException {
        int size = batch.size();
        int rejected = batch.rejected().size();
        while (batch.size() - size < maxEdges
                && batch.rejected().size() - rejected < MAX_REJECTED_PER_READ
                && lines.next()) {
            byte[] line = line(lines);
            if (lines.isTooLong()) {
                reject("the line is longer than %d bytes".formatted(Lines.MAX_LENGTH), batch);
            } else if (!isSkipped(line, isTable)) {
                take(line, batch);
            }
        }
        return batch.size() > size || batch.rejected().size() > rejected;
    }

    private void take(byte[] line, EdgeBatch batch) {
        String reason = reader.read(line, 0, NO_HEADERS, values);
        if (reason != null) {
            reject("the line cannot be read: " + reason, batch);
            return;
        }
        reason = edge.problem(values);
        if (reason == null && key != null) {
            reason = key.add(null, edge, values, batch);
        } else if (reason == null) {
            edge.add(values, batch);
        }
        if (reason != null) {
            reject(reason, batch);
        }
    }

    private void reject(String reason, EdgeBatch batch) {
        batch.reject(lines.reject(reason, lines.fromBehindMark()));
    }

    @Override
    public EdgeFilePosition position() {
        return lines.position();
    }

    @Override
    public long bytesRead() {
        return lines.bytesRead();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
