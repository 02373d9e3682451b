package io.cutwater.format.input;

import io.cutwater.format.FeatureReader;
import io.cutwater.format.VertexSplit;
import io.cutwater.format.text.NameIds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of vertex data, at least one. Row i of each file describes the same vertex: number i from 0, or the vertex
 * that the row of features names, in column {@code id} of a table or as {@code qid} of libsvm.
 *
 * @param features libsvm, {@code .npy} or {@code .csv}, by its name
 * @param labels an integer on each line, -1 for none; takes precedence over labels in the table of features
 * @param split one of train, val, test and none on each line; takes precedence over a split in the table of features
 * @param names the ids of vertices that are text, and {@code toString} tells the rule; null for ids that are integers
 */
public record VertexFiles(
        @Nullable Path features,
        @Nullable Path labels,
        @Nullable Path split,
        @Nullable NameIds names) {
    /** Creates files whose vertices are integers. */
    public VertexFiles(@Nullable Path features, @Nullable Path labels, @Nullable Path split) {
        this(features, labels, split, null);
    }

    public VertexFiles {
        if (features == null && labels == null && split == null) {
            throw new IllegalArgumentException("at least one file of vertex data is needed");
        }
    }

    /**
     * Returns the files with vertices that are text.
     *
     * @throws IOException if rows do not name their vertices; the message is meant for users
     */
    public VertexFiles withNames(NameIds ids) throws IOException {
        VertexFiles named = new VertexFiles(features, labels, split, ids);
        if (!named.hasIds()) {
            throw new IOException(
                    "%s does not name its vertices, which --ids text needs; give a table with a column id, or libsvm with qid:TEXT"
                            .formatted(paths().get(0)));
        }
        return named;
    }

    /** Returns the files that are present. */
    public List<Path> paths() {
        return Stream.of(features, labels, split).filter(Objects::nonNull).toList();
    }

    /** Returns whether the rows of features name their vertices; reads only the first line. */
    public boolean hasIds() throws IOException {
        if (features == null) {
            return false;
        }
        try (FeatureReader reader = FeatureFiles.open(features, 0, false, names)) {
            return reader.hasIds();
        }
    }

    /**
     * Reads all files once, which checks every row, and returns their shape.
     *
     * @throws IOException if a row is malformed, there is none, or the files differ in length; the message names file
     *     and line
     */
    public VertexShape measure() throws IOException {
        try (VertexFileReader reader = VertexFileReader.open(this, 0)) {
            long rows = 0;
            while (reader.next()) {
                rows++;
            }
            if (rows == 0) {
                throw new IOException(
                        "%s has no row; it needs one for every vertex, or leave it out".formatted(paths().get(0)));
            }
            return new VertexShape(rows, reader.featureCount(), reader.hasLabels(), reader.hasSplit(), reader.hasIds());
        }
    }

    /** Opens the rows for a second reading, after {@link #measure}. */
    public VertexFileReader open(VertexShape shape) throws IOException {
        return VertexFileReader.open(this, shape.featureCount());
    }

    /**
     * Returns the vertices whose split is train, in ascending order, each once.
     *
     * @throws IOException as {@link #measure} does
     */
    public long[] trainingVertices() throws IOException {
        long[] vertices = new long[1 << 10];
        int size = 0;
        // Of features without ids only the length would be learned.
        boolean needsFeatures = split == null || hasIds();
        VertexFiles needed = needsFeatures ? this : new VertexFiles(null, null, split);
        try (VertexFileReader reader = VertexFileReader.open(needed, 0)) {
            while (reader.next()) {
                if (reader.split() == VertexSplit.TRAIN) {
                    if (size == vertices.length) {
                        vertices = Arrays.copyOf(vertices, Math.addExact(size, size >> 1));
                    }
                    vertices[size++] = reader.vertex();
                }
            }
        }
        Arrays.sort(vertices, 0, size);
        return Arrays.stream(vertices, 0, size).distinct().toArray();
    }
}
