package io.cutwater.format.vertex;

import io.cutwater.format.file.HashedFile;
import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.npy.NpyFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Writes the data of the vertices of one folder as arrays, row by row; see {@link VertexDataFiles}. */
public final class VertexArrays implements VertexDataFiles.RowConsumer {
    private final OutputFiles out;
    private final String folder;
    private final @Nullable HashedFile features;
    private final @Nullable HashedFile labels;
    private final @Nullable HashedFile split;
    private final ByteBuffer bytes;

    /**
     * Opens the arrays that are needed.
     *
     * @param folder its name within the output folder, with a slash at the end
     * @param vertices the number of rows to come
     * @param featureCount of each vertex, 0 for none
     */
    public VertexArrays(
            OutputFiles out, String folder, long vertices, int featureCount, boolean hasLabels, boolean hasSplit)
            throws IOException {
        this.out = out;
        this.folder = folder;
        bytes = ByteBuffer.allocate(Math.max(Long.BYTES, featureCount * Float.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
        HashedFile openFeatures = null;
        HashedFile openLabels = null;
        boolean isOpen = false;
        try {
            openFeatures = open(VertexDataFiles.FEATURES, featureCount > 0, NpyFile.FLOAT32, vertices, featureCount);
            openLabels = open(VertexDataFiles.LABELS, hasLabels, NpyFile.INT64, vertices);
            split = open(VertexDataFiles.SPLIT, hasSplit, NpyFile.INT8, vertices);
            isOpen = true;
        } finally {
            if (!isOpen) {
                close(openFeatures, openLabels);
            }
        }
        features = openFeatures;
        labels = openLabels;
    }

    private @Nullable HashedFile open(String name, boolean isThere, String type, long... dimensions)
            throws IOException {
        if (!isThere) {
            return null;
        }
        HashedFile file = out.create(folder + name);
        file.write(NpyFile.header(type, dimensions));
        return file;
    }

    @Override
    public void accept(VertexDataRow row) throws IOException {
        if (features != null) {
            bytes.clear();
            bytes.asFloatBuffer().put(row.features);
            features.write(bytes.limit(row.features.length * Float.BYTES));
        }
        if (labels != null) {
            bytes.clear();
            labels.write(bytes.putLong(row.label).flip());
        }
        if (split != null) {
            split.write(row.split);
        }
    }

    @Override
    public void close() throws IOException {
        close(features, labels, split);
    }

    private static void close(@Nullable HashedFile... files) throws IOException {
        for (HashedFile file : files) {
            if (file != null) {
                file.close();
            }
        }
    }
}
