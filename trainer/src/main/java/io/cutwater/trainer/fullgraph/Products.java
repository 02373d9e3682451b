package io.cutwater.trainer.fullgraph;

/** Products of row-major matrices that are added to a result. Zeros of the left operand are skipped. */
final class Products {
    private static final int MAX_NUMBERS = Integer.MAX_VALUE - 8;

    private Products() {}

    /**
     * Creates a matrix of zeros.
     *
     * @throws IllegalStateException if it is larger than an array; the message is meant for users
     */
    static float[] zeros(int rows, int columns) {
        long numbers = (long) rows * columns;
        if (numbers > MAX_NUMBERS) {
            throw new IllegalStateException(
                    "a shard has %,d vertices with %,d numbers each, but at most 2^31 numbers are possible; use more partitions"
                            .formatted(rows, columns));
        }
        return new float[(int) numbers];
    }

    /** Adds {@code left · right}, of the shapes rows × inner and inner × columns. */
    static void add(float[] left, int rows, int inner, float[] right, int columns, float[] result) {
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < inner; i++) {
                float value = left[row * inner + i];
                if (value != 0) {
                    addScaled(value, right, i * columns, result, row * columns, columns);
                }
            }
        }
    }

    /** Adds {@code leftᵀ · right}, of the shapes rows × inner and rows × columns. */
    static void addTransposed(float[] left, int rows, int inner, float[] right, int columns, float[] result) {
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < inner; i++) {
                float value = left[row * inner + i];
                if (value != 0) {
                    addScaled(value, right, row * columns, result, i * columns, columns);
                }
            }
        }
    }

    /** Adds {@code left · rightᵀ}, of the shapes rows × columns and inner × columns. */
    static void addByTransposed(float[] left, int rows, int columns, float[] right, int inner, float[] result) {
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < inner; i++) {
                float sum = 0;
                for (int column = 0; column < columns; column++) {
                    sum += left[row * columns + column] * right[i * columns + column];
                }
                result[row * inner + i] += sum;
            }
        }
    }

    /** Adds the sum of all rows. */
    static void addRows(float[] values, int rows, int columns, float[] result) {
        for (int row = 0; row < rows; row++) {
            addScaled(1, values, row * columns, result, 0, columns);
        }
    }

    static void addScaled(float factor, float[] from, int fromAt, float[] into, int intoAt, int count) {
        for (int i = 0; i < count; i++) {
            into[intoAt + i] += factor * from[fromAt + i];
        }
    }
}
