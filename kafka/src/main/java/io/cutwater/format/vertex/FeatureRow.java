package io.cutwater.format.vertex;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The features of one vertex in the shorter of two forms: all values, or only the non-zero values with their columns.
 * Equal features have the same form, so they are equal objects and encode to the same bytes. A row takes about as much
 * memory as its bytes in a record, whatever its width.
 */
public final class FeatureRow {
    /** A row without features. */
    public static final FeatureRow NONE = new FeatureRow(0, null, new float[0]);

    private static final int COLUMN_BYTES = Integer.BYTES + Float.BYTES;

    private final int width;
    private final int @Nullable [] columns;
    private final float[] values;

    /** @param columns of the values, ascending; null if the values are all features */
    private FeatureRow(int width, int @Nullable [] columns, float[] values) {
        this.width = width;
        this.columns = columns;
        this.values = values;
    }

    /** Copies the first features of an array. */
    static FeatureRow of(float[] features, int width) {
        int count = 0;
        for (int column = 0; column < width; column++) {
            count += features[column] == 0 ? 0 : 1;
        }
        if (!isSparse(width, count)) {
            return width == 0 ? NONE : new FeatureRow(width, null, Arrays.copyOf(features, width));
        }
        int[] columns = new int[count];
        float[] values = new float[count];
        for (int column = 0, at = 0; column < width; column++) {
            if (features[column] != 0) {
                columns[at] = column;
                values[at++] = features[column];
            }
        }
        return new FeatureRow(width, columns, values);
    }

    private static boolean isSparse(int width, int count) {
        return Integer.BYTES + (long) COLUMN_BYTES * count < (long) Float.BYTES * width;
    }

    /**
     * Reads all features of a vertex; lengths are checked before anything is allocated.
     *
     * @throws IllegalArgumentException if a value is not finite
     * @throws BufferUnderflowException if there are fewer bytes
     */
    static FeatureRow readDense(int width, ByteBuffer in) {
        if (in.remaining() < (long) Float.BYTES * width) {
            throw new BufferUnderflowException();
        }
        float[] features = new float[width];
        for (int column = 0; column < width; column++) {
            features[column] = finite(in.getFloat());
        }
        return of(features, width);
    }

    /**
     * Reads the non-zero features with their columns; lengths are checked before anything is allocated.
     *
     * @throws IllegalArgumentException if a value is not finite, or columns do not ascend below the width
     * @throws BufferUnderflowException if there are fewer bytes
     */
    static FeatureRow readSparse(int width, ByteBuffer in) {
        int count = in.getInt();
        if (count < 0 || count > width) {
            throw new IllegalArgumentException(
                    "a vertex record has %d features that are not 0, of %d".formatted(count, width));
        }
        if (in.remaining() < (long) COLUMN_BYTES * count) {
            throw new BufferUnderflowException();
        }
        int[] columns = new int[count];
        float[] values = new float[count];
        int size = 0;
        int previous = -1;
        for (int i = 0; i < count; i++) {
            int column = in.getInt();
            if (column <= previous || column >= width) {
                throw new IllegalArgumentException(
                        "a vertex record has feature %d of %d after feature %d".formatted(column, width, previous));
            }
            previous = column;
            float value = finite(in.getFloat());
            if (value != 0) {
                columns[size] = column;
                values[size++] = value;
            }
        }
        FeatureRow row = new FeatureRow(width, Arrays.copyOf(columns, size), Arrays.copyOf(values, size));
        return isSparse(width, size) ? row : of(row.toArray(), width);
    }

    private static float finite(float feature) {
        if (!Float.isFinite(feature)) {
            throw new IllegalArgumentException("a vertex record has feature %s; it must be finite".formatted(feature));
        }
        return feature;
    }

    /** Returns the number of features, including zeros. */
    public int width() {
        return width;
    }

    /** Fills an array with the features that fit; further entries are set to 0. */
    public void copyTo(float[] into) {
        if (columns == null) {
            int length = Math.min(width, into.length);
            System.arraycopy(values, 0, into, 0, length);
            Arrays.fill(into, length, into.length, 0);
            return;
        }
        Arrays.fill(into, 0);
        for (int i = 0; i < columns.length && columns[i] < into.length; i++) {
            into[columns[i]] = values[i];
        }
    }

    /** Returns all features in an array of the row's width. */
    public float[] toArray() {
        float[] features = new float[width];
        copyTo(features);
        return features;
    }

    boolean isSparse() {
        return columns != null;
    }

    int encodedLength() {
        return columns == null ? Float.BYTES * width : Integer.BYTES + COLUMN_BYTES * columns.length;
    }

    void write(ByteBuffer out) {
        if (columns != null) {
            out.putInt(columns.length);
        }
        for (int i = 0; i < values.length; i++) {
            if (columns != null) {
                out.putInt(columns[i]);
            }
            out.putFloat(values[i]);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FeatureRow that
                && width == that.width
                && Arrays.equals(columns, that.columns)
                && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return 31 * width + Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return Arrays.toString(toArray());
    }
}
