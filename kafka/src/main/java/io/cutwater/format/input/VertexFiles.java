package io.cutwater.format.input;

import io.cutwater.format.FeatureReader;
import io.cutwater.format.VertexSplit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Files of what is known of vertices; at least one. Row i of each is about the same vertex: number i from 0, or the one
 * that the table of features names in its column {@code id}.
 *
 * @param features libsvm, {@code .npy} or {@code .csv}, as its name says
 * @param labels an integer on each line, -1 for none; they come before those that stand beside the features
 * @param split one of train, val, test and none on each line; likewise
 */
public record VertexFiles(
        @Nullable Path features,
        @Nullable Path labels,
        @Nullable Path split) {
    public VertexFiles {
        if (features == null && labels == null && split == null) {
            throw new IllegalArgumentException("at least one file of vertex data is needed");
        }
    }

    /** Those that are there. */
    public List<Path> paths() {
        return Stream.of(features, labels, split).filter(Objects::nonNull).toList();
    }

    /** Whether the table of features has a column of ids; its header alone is read. */
    public boolean hasIds() throws IOException {
        if (features == null || !FeatureFiles.isTable(features)) {
            return false;
        }
        try (FeatureReader reader = FeatureFiles.open(features, 0, false)) {
            return reader.hasIds();
        }
    }

    /**
     * Reads all files once, and so knows that they can be read.
     *
     * @throws IOException with a sentence that names file and line, if a row is not what it should be, or the files are
     *     not of the same length
     */
    public VertexShape measure() throws IOException {
        try (VertexFileReader reader = VertexFileReader.open(this, 0)) {
            long rows = 0;
            while (reader.next()) {
                rows++;
            }
            return new VertexShape(rows, reader.featureCount(), reader.hasLabels(), reader.hasSplit(), reader.hasIds());
        }
    }

    /** The rows again, after {@link #measure}. */
    public VertexFileReader open(VertexShape shape) throws IOException {
        return VertexFileReader.open(this, shape.featureCount());
    }

    /**
     * The vertices whose split is train, in ascending order, each once.
     *
     * @throws IOException with a sentence, as {@link #measure}
     */
    public long[] trainingVertices() throws IOException {
        long[] vertices = new long[1 << 10];
        int size = 0;
        // Only a table may have ids of its own; from all others nothing but their length would be learned.
        boolean needsFeatures = split == null || features != null && FeatureFiles.isTable(features);
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
