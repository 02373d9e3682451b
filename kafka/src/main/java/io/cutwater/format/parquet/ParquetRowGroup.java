package io.cutwater.format.parquet;

import io.cutwater.state.graph.EdgeBatch;
import java.nio.charset.StandardCharsets;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.DummyRecordConverter;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/** The rows of one row group, decoded a few thousand at a time into primitive columns. */
final class ParquetRowGroup {
    private static final int CHUNK = 1 << 13;

    private final ParquetColumn sourceColumn;
    private final ParquetColumn targetColumn;
    private final @Nullable ParquetColumn weightColumn;
    private final @Nullable ParquetColumn timestampColumn;
    private final @Nullable ParquetColumn keyColumn;

    private final long[] sources;
    private final long[] targets;
    private final double[] weights;
    private final long[] timestamps;
    private final long[] keys;
    private final boolean[] sourceNulls;
    private final boolean[] targetNulls;

    private long rowsLeft;
    private int chunkSize;
    private int next;
    private boolean hasNulls;

    /** @param skippedRows the number of rows to skip at the beginning of the group */
    ParquetRowGroup(PageReadStore pages, MessageType schema, ParquetColumns names, String createdBy, long skippedRows) {
        // The columns are read directly; the converter is required but unused.
        var store =
                new ColumnReadStoreImpl(pages, new DummyRecordConverter(schema).getRootConverter(), schema, createdBy);
        sourceColumn = column(store, schema, names.source());
        targetColumn = column(store, schema, names.target());
        weightColumn = names.weight() == null ? null : column(store, schema, names.weight());
        timestampColumn = names.timestamp() == null ? null : column(store, schema, names.timestamp());
        keyColumn = names.key() == null ? null : column(store, schema, names.key());
        for (ParquetColumn column :
                new @Nullable ParquetColumn[] {sourceColumn, targetColumn, weightColumn, timestampColumn, keyColumn}) {
            if (column != null) {
                column.skip(skippedRows);
            }
        }
        rowsLeft = pages.getRowCount() - skippedRows;
        int capacity = (int) Math.min(rowsLeft, CHUNK);
        sources = new long[capacity];
        targets = new long[capacity];
        weights = new double[weightColumn == null ? 0 : capacity];
        timestamps = new long[timestampColumn == null ? 0 : capacity];
        keys = new long[keyColumn == null ? 0 : capacity];
        sourceNulls = new boolean[capacity];
        targetNulls = new boolean[capacity];
    }

    private static ParquetColumn column(ColumnReadStoreImpl store, MessageType schema, String name) {
        String[] path = {name};
        return new ParquetColumn(store.getColumnReader(schema.getColumnDescription(path)));
    }

    /** Decodes more rows if all decoded ones are taken; returns false at the end of the group. */
    boolean hasNext() {
        if (next < chunkSize) {
            return true;
        }
        int count = (int) Math.min(rowsLeft, sources.length);
        if (count == 0) {
            return false;
        }
        boolean hasSourceNulls = sourceColumn.read(sources, count, sourceNulls);
        boolean hasTargetNulls = targetColumn.read(targets, count, targetNulls);
        hasNulls = hasSourceNulls || hasTargetNulls;
        if (weightColumn != null) {
            weightColumn.read(weights, count);
        }
        if (timestampColumn != null) {
            timestampColumn.read(timestamps, count, EdgeBatch.NO_TIMESTAMP);
        }
        if (keyColumn != null) {
            keyColumn.read(keys, count, EdgeBatch.NO_KEY);
            for (int i = 0; i < count; i++) {
                hasNulls |= keys[i] == EdgeBatch.NO_KEY;
            }
        }
        rowsLeft -= count;
        chunkSize = count;
        next = 0;
        return true;
    }

    /** Takes up to {@code max} rows as edges, stopping at a row without an edge; returns the number of edges. */
    int take(EdgeBatch batch, int max) {
        int from = next;
        int end = Math.min(chunkSize, from + max);
        while (next < end && !isNextNull()) {
            if (weightColumn == null && timestampColumn == null) {
                batch.add(sources[next], targets[next]);
            } else {
                batch.add(
                        sources[next],
                        targets[next],
                        weightColumn == null ? Double.NaN : weights[next],
                        timestampColumn == null ? EdgeBatch.NO_TIMESTAMP : timestamps[next]);
            }
            if (keyColumn != null) {
                batch.setKey(batch.size() - 1, keys[next]);
            }
            next++;
        }
        return next - from;
    }

    /** Returns whether the next row lacks an endpoint, or its key. */
    private boolean isNextNull() {
        return hasNulls
                && (sourceNulls[next] || targetNulls[next] || keyColumn != null && keys[next] == EdgeBatch.NO_KEY);
    }

    /** Takes the next row, which {@link #take} did not take, as text. */
    byte[] takeRejected() {
        String source = sourceNulls[next] ? "null" : String.valueOf(sources[next]);
        String target = targetNulls[next] ? "null" : String.valueOf(targets[next]);
        next++;
        return (source + "," + target).getBytes(StandardCharsets.US_ASCII);
    }
}
