package io.cutwater.format.input;

import io.cutwater.format.FeatureReader;
import io.cutwater.format.VertexSplit;
import io.cutwater.format.text.VertexLines;
import io.cutwater.format.text.VertexNumbers;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the files of vertex data side by side, one vertex after the other. Not thread-safe. */
public final class VertexFileReader implements Closeable {
    /** The label of a vertex without one. */
    public static final int NO_LABEL = FeatureReader.NO_LABEL;

    private final VertexFiles files;
    private final @Nullable FeatureReader features;
    private final @Nullable VertexLines labels;
    private final @Nullable VertexLines splits;
    private final @Nullable VertexNumbers labelNumbers;
    private final @Nullable VertexNumbers splitNumbers;
    private long row = -1;
    private int label = NO_LABEL;
    private VertexSplit split = VertexSplit.NONE;

    private VertexFileReader(
            VertexFiles files,
            @Nullable FeatureReader features,
            @Nullable VertexLines labels,
            @Nullable VertexLines splits) {
        this.files = files;
        this.features = features;
        this.labels = labels;
        this.splits = splits;
        labelNumbers = labels == null ? null : new VertexNumbers(labels);
        splitNumbers = splits == null ? null : new VertexNumbers(splits);
    }

    /** @param featureCount the least number of features of a row; 0 if only the rows show it */
    static VertexFileReader open(VertexFiles files, int featureCount) throws IOException {
        Path featureFile = files.features();
        FeatureReader features = null;
        VertexLines labels = null;
        VertexLines splits = null;
        boolean isOpen = false;
        try {
            features = featureFile == null
                    ? null
                    : FeatureFiles.open(featureFile, featureCount, files.labels() == null, files.names());
            labels = files.labels() == null ? null : new VertexLines(files.labels());
            splits = files.split() == null ? null : new VertexLines(files.split());
            isOpen = true;
            return new VertexFileReader(files, features, labels, splits);
        } finally {
            if (!isOpen) {
                close(features, labels);
            }
        }
    }

    /**
     * Advances to the next vertex; returns false at the end.
     *
     * @throws IOException if a row is malformed, or one file ends before another; the message names file and line
     */
    public boolean next() throws IOException {
        boolean hasFeatures = features == null || features.next();
        boolean hasLabel = labels == null || labels.next();
        boolean hasSplit = splits == null || splits.next();
        if (!hasFeatures || !hasLabel || !hasSplit) {
            Path ended = !hasFeatures ? files.features() : !hasLabel ? files.labels() : files.split();
            requireEnd(files.features(), features != null && hasFeatures, ended);
            requireEnd(files.labels(), labels != null && hasLabel, ended);
            requireEnd(files.split(), splits != null && hasSplit, ended);
            return false;
        }
        row++;
        label = labelNumbers == null ? labelBeside() : labelNumbers.onlyLabel();
        split = splitNumbers == null ? splitBeside() : splitNumbers.onlySplit();
        return true;
    }

    private int labelBeside() {
        return features == null ? NO_LABEL : features.label();
    }

    private VertexSplit splitBeside() {
        return features == null ? VertexSplit.NONE : features.split();
    }

    private void requireEnd(@Nullable Path longer, boolean goesOn, @Nullable Path ended) throws IOException {
        if (goesOn) {
            throw new IOException(
                    "%s ends after row %d, and %s continues; give both a row for every vertex, in the same order"
                            .formatted(ended, row + 1, longer));
        }
    }

    /** Returns the vertex of the row: its number from 0, or its id if rows have ids. */
    public long vertex() {
        return features != null && features.hasIds() ? features.vertex() : row;
    }

    /** Returns the features, valid until the next row; only the first {@link #featureCount} entries count. */
    public float[] features() {
        return features == null ? new float[0] : features.features();
    }

    /** Returns d; for libsvm, as far as the rows read so far show it. */
    public int featureCount() {
        return features == null ? 0 : features.featureCount();
    }

    /** Returns the label, {@link #NO_LABEL} for none. */
    public int label() {
        return label;
    }

    public VertexSplit split() {
        return split;
    }

    boolean hasIds() {
        return features != null && features.hasIds();
    }

    boolean hasLabels() {
        return labels != null || features != null && features.hasLabels();
    }

    boolean hasSplit() {
        return splits != null || features != null && features.hasSplit();
    }

    /** Returns the bytes of the (compressed) files read so far, including read-ahead: for progress. */
    public long bytesRead() {
        return (features == null ? 0 : features.bytesRead())
                + (labels == null ? 0 : labels.bytesRead())
                + (splits == null ? 0 : splits.bytesRead());
    }

    @Override
    public void close() throws IOException {
        close(features, labels, splits);
    }

    private static void close(@Nullable Closeable... all) throws IOException {
        IOException failure = null;
        for (Closeable each : all) {
            try {
                if (each != null) {
                    each.close();
                }
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
