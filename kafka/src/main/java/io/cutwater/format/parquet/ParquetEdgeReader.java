package io.cutwater.format.parquet;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/** A reader of the edges of a Parquet file; it holds one row group in memory at a time. */
public final class ParquetEdgeReader implements EdgeFileReader {
    private final Path file;
    private final ParquetFileReader reader;
    private final ParquetColumns columns;
    private final MessageType schema;
    private final long rows;
    private final long fileSize;

    private @Nullable ParquetRowGroup rowGroup;
    private int nextRowGroup;
    private long row;

    private ParquetEdgeReader(
            Path file, ParquetFileReader reader, EdgeFilePosition from, @Nullable ParquetColumns given)
            throws IOException {
        this.file = file;
        this.reader = reader;
        MessageType whole = reader.getFileMetaData().getSchema();
        columns = given == null ? ParquetColumns.usual(whole) : given;
        schema = columns.project(whole, file);
        reader.setRequestedSchema(schema);
        rows = reader.getRecordCount();
        fileSize = Files.size(file);
        if (from.row() > rows) {
            throw new IOException(
                    "%s is shorter than when it was read before. Put the same file back, or start from its beginning."
                            .formatted(file));
        }
        skipTo(from.row());
    }

    /** @param columns null for the usual names */
    public static ParquetEdgeReader open(Path file, EdgeFilePosition from, @Nullable ParquetColumns columns)
            throws IOException {
        ParquetFileReader reader;
        try {
            reader = ParquetFileReader.open(new LocalInputFile(file), options());
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "%s is not a valid Parquet file (%s). Write it or get it again.".formatted(file, reason(e)), e);
        }
        try {
            return new ParquetEdgeReader(file, reader, from, columns);
        } catch (IOException e) {
            reader.close();
            throw e;
        }
    }

    static ParquetReadOptions options() {
        return ParquetReadOptions.builder(new PlainParquetConfiguration())
                .withCodecFactory(new ParquetCodecs())
                .build();
    }

    private static String reason(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private void skipTo(long from) throws IOException {
        while (row < from) {
            long rowsInGroup = reader.getRowGroups().get(nextRowGroup).getRowCount();
            long skipped = Math.min(rowsInGroup, from - row);
            row += skipped;
            if (skipped < rowsInGroup) {
                openRowGroup(skipped);
            } else {
                nextRowGroup++;
            }
        }
    }

    private void openRowGroup(long skippedRows) throws IOException {
        try {
            rowGroup = new ParquetRowGroup(
                    reader.readRowGroup(nextRowGroup),
                    schema,
                    columns,
                    reader.getFileMetaData().getCreatedBy(),
                    skippedRows);
            nextRowGroup++;
        } catch (UnsupportedOperationException e) {
            throw new IOException("%s cannot be read: %s.".formatted(file, reason(e)), e);
        } catch (IOException | RuntimeException e) {
            throw damaged(e);
        }
    }

    private IOException damaged(Exception e) {
        return new IOException(
                "%s could be read up to row %d only: it is damaged (%s). Write it or get it again."
                        .formatted(file, row, reason(e)),
                e);
    }

    @Override
    public boolean read(EdgeBatch batch, int maxEdges) throws IOException {
        long before = row;
        int size = batch.size();
        int rejected = batch.rejected().size();
        while (batch.size() - size < maxEdges && batch.rejected().size() - rejected < MAX_REJECTED_PER_READ) {
            ParquetRowGroup group = currentRowGroup();
            if (group == null) {
                break;
            }
            int taken = group.take(batch, maxEdges - (batch.size() - size));
            row += taken;
            if (taken == 0) {
                row++;
                batch.reject(new RejectedRecord(
                        columns.key() == null
                                ? "the row has no %s or no %s".formatted(columns.source(), columns.target())
                                : "the row has no %s, no %s or no %s"
                                        .formatted(columns.source(), columns.target(), columns.key()),
                        file.toString(),
                        -1,
                        row,
                        null,
                        group.takeRejected()));
            }
        }
        return row > before;
    }

    /** Returns the row group with the next row, null after the last row. */
    private @Nullable ParquetRowGroup currentRowGroup() throws IOException {
        try {
            while (rowGroup == null || !rowGroup.hasNext()) {
                if (nextRowGroup == reader.getRowGroups().size()) {
                    return null;
                }
                openRowGroup(0);
            }
            return rowGroup;
        } catch (RuntimeException e) {
            throw damaged(e);
        }
    }

    @Override
    public EdgeFilePosition position() {
        return new EdgeFilePosition(0, row, 0);
    }

    /** Estimates the bytes from the share of rows read: pages are decoded ahead of the rows that they hold. */
    @Override
    public long bytesRead() {
        return row == rows ? fileSize : (long) (fileSize * ((double) row / rows));
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
