package io.cutwater.trainer.shard;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A file of features in libsvm text, {@code label index:value …} with indices from 1, one line per vertex, plain or
 * {@code .gz}. Opening it reads it once to learn its shape.
 */
public final class FeatureFile {
    /** Below this share of numbers that are not zero, rows are held sparse: half the memory, and less to multiply. */
    private static final double SPARSE_BELOW = 0.1;

    private final Path file;
    private final FeatureScaling scaling;
    private final FeatureRow row = new FeatureRow();
    private long rows;
    private int columns;
    private long nonZeros;
    private double[] sums = new double[1024];
    private double[] squares = new double[1024];
    private float @Nullable [] means;
    private float @Nullable [] deviations;

    /** Takes the row of a vertex; good only until the call returns. */
    @FunctionalInterface
    interface RowConsumer {
        void accept(long vertex, FeatureRow row) throws IOException;
    }

    private FeatureFile(Path file, FeatureScaling scaling) {
        this.file = file;
        this.scaling = scaling;
    }

    /** @throws IOException with a sentence that names the line, if it is not of the format */
    public static FeatureFile open(Path file, FeatureScaling scaling) throws IOException {
        FeatureFile features = new FeatureFile(file, scaling);
        features.rows = TextFile.read(file, (vertex, line) -> {
            features.parse(line);
            features.count();
        });
        if (features.columns == 0) {
            throw new IOException(file + " has no features; its lines must be 'label index:value …'");
        }
        features.finishColumns();
        return features;
    }

    private void count() {
        for (int i = 0; i < row.size(); i++) {
            int column = row.column(i);
            if (column >= sums.length) {
                int length = Math.max(column + 1, 2 * sums.length);
                sums = Arrays.copyOf(sums, length);
                squares = Arrays.copyOf(squares, length);
            }
            double value = row.value(i);
            sums[column] += value;
            squares[column] += value * value;
            columns = Math.max(columns, column + 1);
        }
        nonZeros += row.size();
    }

    private void finishColumns() {
        if (scaling != FeatureScaling.COLUMN) {
            return;
        }
        float[] mean = new float[columns];
        float[] deviation = new float[columns];
        for (int column = 0; column < columns; column++) {
            double average = sums[column] / rows;
            double variance = squares[column] / rows - average * average;
            mean[column] = (float) average;
            deviation[column] = variance > 0 ? (float) Math.sqrt(variance) : 1;
        }
        means = mean;
        deviations = deviation;
    }

    /** Vertices with a row: 0 to this less 1. */
    public long rows() {
        return rows;
    }

    public int columns() {
        return columns;
    }

    boolean isSparse() {
        return means == null && nonZeros < SPARSE_BELOW * rows * columns;
    }

    /**
     * Reads all rows in the order of the vertices; of dense files with columns scaled, only numbers that were not 0.
     */
    void read(RowConsumer consumer) throws IOException {
        TextFile.read(file, (vertex, line) -> {
            parse(line);
            if (scaling == FeatureScaling.ROW) {
                row.scaleToSumOne();
            }
            consumer.accept(vertex, row);
        });
    }

    /** Writes a row out in full, columns scaled; @param into as long as there are columns */
    void expand(FeatureRow from, float[] into) {
        Arrays.fill(into, 0);
        for (int i = 0; i < from.size(); i++) {
            into[from.column(i)] = from.value(i);
        }
        if (means != null && deviations != null) {
            for (int column = 0; column < into.length; column++) {
                into[column] = (into[column] - means[column]) / deviations[column];
            }
        }
    }

    private void parse(String line) {
        row.clear();
        int at = skipBlanks(line, endOfWord(line, skipBlanks(line, 0)));
        while (at < line.length()) {
            int end = endOfWord(line, at);
            int colon = line.indexOf(':', at);
            if (colon < 0 || colon >= end) {
                throw new IllegalArgumentException(
                        "must be 'label index:value …', but has '%s'".formatted(line.substring(at, end)));
            }
            int index = Integer.parseInt(line, at, colon, 10);
            if (index < 1) {
                throw new IllegalArgumentException("has index %d, but the first one is 1".formatted(index));
            }
            float value = value(line, colon + 1, end);
            if (value != 0) {
                row.add(index - 1, value);
            }
            at = skipBlanks(line, end);
        }
    }

    private static float value(String line, int from, int to) {
        // Bags of words are most of what comes, and the general way is slow.
        return to == from + 1 && line.charAt(from) == '1' ? 1 : Float.parseFloat(line.substring(from, to));
    }

    private static int skipBlanks(String line, int from) {
        int i = from;
        while (i < line.length() && line.charAt(i) <= ' ') {
            i++;
        }
        return i;
    }

    private static int endOfWord(String line, int from) {
        int i = from;
        while (i < line.length() && line.charAt(i) > ' ') {
            i++;
        }
        return i;
    }
}
