package io.cutwater.trainer.feature;

import io.cutwater.trainer.mapped.MappedFloats;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;

/** Rows of 32-bit floats in a memory-mapped file: 4 bytes per feature. */
public final class DenseFeatures implements Features {
    private final int columns;
    private final MappedFloats values;

    private DenseFeatures(int columns, MappedFloats values) {
        this.columns = columns;
        this.values = values;
    }

    /** Creates rows of zeros in a file, which must not exist. */
    public static DenseFeatures create(Path file, int rows, int columns) throws IOException {
        return new DenseFeatures(columns, MappedFloats.create(file, (long) rows * columns));
    }

    /** Opens rows that another process wrote on this host, read-only. */
    public static DenseFeatures open(Path file, int columns) throws IOException {
        return new DenseFeatures(columns, MappedFloats.open(file));
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public int numbersPerRow() {
        return columns;
    }

    /** Copies a row to the position of a buffer and advances the position. */
    public void copyRow(int row, FloatBuffer into) {
        values.get((long) row * columns, columns, into);
    }

    /** Overwrites rows, beginning with {@code row}, with the rows of an array. */
    public void putRows(int row, float[] rows) {
        values.put((long) row * columns, rows, 0, rows.length);
    }
}
