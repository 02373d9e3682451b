package io.cutwater.trainer.feature;

import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.input.VertexFiles;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Scaled features, classes and splits of vertices. Creation reads all rows once and keeps a few numbers per feature,
 * and the vertex ids if rows have explicit ids.
 */
public final class VertexData {
    /** Share of nonzero values below which rows are stored sparse: half the memory, and less to multiply. */
    private static final double SPARSE_BELOW = 0.1;

    private final VertexRowSource rows;
    private final FeatureScaling scaling;
    private final ShapeOptions shape;
    private final VertexIds alone;
    private int classCount;
    private boolean isSparse;
    private float @Nullable [] means;
    private float @Nullable [] deviations;

    private VertexData(VertexRowSource rows, FeatureScaling scaling, ShapeOptions shape) throws IOException {
        this.rows = rows;
        this.shape = shape;
        this.scaling = scaling;
        alone = rows.alone();
    }

    /**
     * Reads vertex data from files.
     *
     * @throws IOException if the files are malformed; the message names file and line
     */
    public static VertexData of(VertexFiles files, FeatureScaling scaling, ShapeOptions shape) throws IOException {
        return new VertexData(new FileRows(files, shape), scaling, shape).measured();
    }

    /**
     * Reads the vertex data of an output folder.
     *
     * @throws IOException if the shards have no features; the message is meant for users
     */
    public static VertexData of(ShardFolder folder, FeatureScaling scaling, ShapeOptions shape) throws IOException {
        return new VertexData(new FolderRows(folder, shape), scaling, shape).measured();
    }

    /** Reads the vertex data of one shard. */
    public static VertexData of(VertexRowSource rows, FeatureScaling scaling, ShapeOptions shape) throws IOException {
        return new VertexData(rows, scaling, shape).measured();
    }

    private VertexData measured() throws IOException {
        int columns = columns();
        double[] sums = new double[columns];
        double[] squares = new double[columns];
        long[] counts = new long[2];
        Misfits misfits = new Misfits(columns, shape.labelBound());
        rows.readAll((vertex, features, label, split) -> {
            counts[0]++;
            misfits.look(vertex, columns, label);
            classCount = Math.max(classCount, 1 + Math.min(label, shape.labelBound()));
            for (int column = 0; column < columns; column++) {
                double value = features[column];
                if (value != 0) {
                    counts[1]++;
                    sums[column] += value;
                    squares[column] += value * value;
                }
            }
        });
        if (misfits.count() > 0) {
            throw new IOException(
                    "%s; correct the labels, or allow more with --max-classes".formatted(misfits.words()));
        }
        isSparse = scaling != FeatureScaling.COLUMN && counts[1] < SPARSE_BELOW * counts[0] * columns;
        if (scaling == FeatureScaling.COLUMN) {
            scaleColumns(counts[0], sums, squares);
        }
        return this;
    }

    private void scaleColumns(long count, double[] sums, double[] squares) {
        float[] mean = new float[sums.length];
        float[] deviation = new float[sums.length];
        for (int column = 0; column < sums.length; column++) {
            double average = sums[column] / count;
            double variance = squares[column] / count - average * average;
            mean[column] = (float) average;
            deviation[column] = variance > 0 ? (float) Math.sqrt(variance) : 1;
        }
        means = mean;
        deviations = deviation;
    }

    /** Returns the number of features of a vertex; 0 only if rows are learned. */
    public int columns() {
        return rows.columns();
    }

    /** Returns the highest class plus 1; 0 if no vertex has a class. */
    public int classCount() {
        return classCount;
    }

    public boolean isSparse() {
        return isSparse;
    }

    /** Returns the vertices that exist even without an edge. */
    public VertexIds alone() {
        return alone;
    }

    /** Reads the rows of a shard's vertices, and possibly more, with scaled features. Thread-safe. */
    public void read(int shard, VertexRowSource.RowConsumer consumer) throws IOException {
        float[] scaled = new float[columns()];
        rows.readShard(shard, (vertex, features, label, split) -> {
            System.arraycopy(features, 0, scaled, 0, scaled.length);
            scale(scaled);
            consumer.accept(vertex, scaled, label, split);
        });
    }

    private void scale(float[] scaled) {
        if (scaling == FeatureScaling.ROW) {
            double sum = 0;
            for (float value : scaled) {
                sum += Math.abs(value);
            }
            for (int column = 0; column < scaled.length && sum > 0; column++) {
                scaled[column] = (float) (scaled[column] / sum);
            }
        } else if (means != null && deviations != null) {
            for (int column = 0; column < scaled.length; column++) {
                scaled[column] = (scaled[column] - means[column]) / deviations[column];
            }
        }
    }
}
