package io.cutwater.trainer.fullgraph;

import java.util.Arrays;

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

    /** Returns the rows of a matrix. */
    static float[][] rows(float[] values, int rows, int columns) {
        float[][] arrays = new float[rows][];
        for (int row = 0; row < rows; row++) {
            arrays[row] = Arrays.copyOfRange(values, row * columns, (row + 1) * columns);
        }
        return arrays;
    }

    /**
     * Adds rows times factors to a sum. Rows are arrays of their own, because the compiler of Java 17 makes vector
     * instructions only if all arrays of a loop have the same index.
     *
     * @param which the number of the row of each factor
     * @param from first factor, inclusive
     * @param to last factor, exclusive
     */
    static void addCombination(float[] factors, int[] which, int from, int to, float[][] rows, float[] sum) {
        int i = from;
        for (; i + 3 < to; i += 4) {
            addScaled(
                    factors[i],
                    rows[which[i]],
                    factors[i + 1],
                    rows[which[i + 1]],
                    factors[i + 2],
                    rows[which[i + 2]],
                    factors[i + 3],
                    rows[which[i + 3]],
                    sum);
        }
        for (; i < to; i++) {
            addScaled(factors[i], rows[which[i]], sum);
        }
    }

    /** Adds four rows at a time, so that the sum is read and written once for them. */
    private static void addScaled(
            float factor0,
            float[] row0,
            float factor1,
            float[] row1,
            float factor2,
            float[] row2,
            float factor3,
            float[] row3,
            float[] sum) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += factor0 * row0[i] + factor1 * row1[i] + (factor2 * row2[i] + factor3 * row3[i]);
        }
    }

    static void addScaled(float factor, float[] row, float[] sum) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += factor * row[i];
        }
    }
}
