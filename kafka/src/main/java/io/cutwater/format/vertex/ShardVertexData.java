package io.cutwater.format.vertex;

import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.npy.NpyFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the vertex data of a shard row by row, in the order of its vertices. */
public final class ShardVertexData implements Closeable {
    private final @Nullable Column features;
    private final @Nullable Column labels;
    private final @Nullable Column split;

    /**
     * Opens the arrays that the summary lists.
     *
     * @param vertices the number of vertices of the shard
     * @throws IOException if an array is missing, or has another type or shape; the message is meant for users
     */
    public ShardVertexData(Path root, int shard, VertexDataSummary summary, long vertices) throws IOException {
        Path folder = root.resolve(OutputFiles.shard(shard));
        Column openFeatures = null;
        Column openLabels = null;
        boolean isOpen = false;
        try {
            openFeatures = summary.features() == 0
                    ? null
                    : new Column(
                            folder.resolve(VertexDataFiles.FEATURES), NpyFile.FLOAT32, vertices, summary.features());
            openLabels = summary.labels()
                    ? new Column(folder.resolve(VertexDataFiles.LABELS), NpyFile.INT64, vertices, 1)
                    : null;
            split = summary.split()
                    ? new Column(folder.resolve(VertexDataFiles.SPLIT), NpyFile.INT8, vertices, 1)
                    : null;
            isOpen = true;
        } finally {
            if (!isOpen) {
                close(openFeatures, openLabels);
            }
        }
        features = openFeatures;
        labels = openLabels;
    }

    /** Reads the next row; call at most once per vertex. */
    public void next(VertexDataRow row) throws IOException {
        row.clear();
        if (features != null) {
            ByteBuffer bytes = features.next();
            for (int i = 0; i < row.features.length; i++) {
                row.features[i] = bytes.getFloat();
            }
        }
        if (labels != null) {
            row.label = Math.toIntExact(labels.next().getLong());
        }
        if (split != null) {
            row.split = split.next().get();
        }
    }

    /** An array with one row per vertex. */
    private static final class Column implements Closeable {
        private static final int BUFFER_BYTES = 1 << 18;

        private final NpyFile array;
        private final int width;
        private final ByteBuffer buffer;
        private final int rowsAtOnce;
        private long row;

        Column(Path file, String type, long vertices, int width) throws IOException {
            this.width = width;
            array = new NpyFile(file, type);
            int rowBytes = width * (type.charAt(2) - '0');
            buffer = ByteBuffer.allocate(Math.max(1, BUFFER_BYTES / rowBytes) * rowBytes)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .limit(0);
            if (array.rows() != vertices || array.columns() != width) {
                array.close();
                throw new IOException("%s is of shape (%d, %d), and its shard has %d vertices with %d each"
                        .formatted(file, array.rows(), array.columns(), vertices, width));
            }
            rowsAtOnce = buffer.capacity() / rowBytes;
        }

        /** Returns the buffer, positioned at the next row. */
        ByteBuffer next() throws IOException {
            if (!buffer.hasRemaining()) {
                int count = (int) Math.min(rowsAtOnce, array.rows() - row);
                array.read(row * width, count * width, buffer);
                row += count;
            }
            return buffer;
        }

        @Override
        public void close() throws IOException {
            array.close();
        }
    }

    private static void close(@Nullable Column... columns) throws IOException {
        for (Column column : columns) {
            if (column != null) {
                column.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        close(features, labels, split);
    }
}
