package io.cutwater.trainer.shard;

import java.util.Arrays;

/** The numbers of one vertex that are not zero, used again for each row of a file. */
final class FeatureRow {
    private int[] columns = new int[64];
    private float[] values = new float[64];
    private int size;

    void clear() {
        size = 0;
    }

    void add(int column, float value) {
        if (size == columns.length) {
            columns = Arrays.copyOf(columns, 2 * size);
            values = Arrays.copyOf(values, 2 * size);
        }
        columns[size] = column;
        values[size++] = value;
    }

    int size() {
        return size;
    }

    int column(int i) {
        return columns[i];
    }

    float value(int i) {
        return values[i];
    }

    /** Divides the row by the sum of its magnitudes; a row of zeros stays. */
    void scaleToSumOne() {
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += Math.abs(values[i]);
        }
        for (int i = 0; i < size && sum > 0; i++) {
            values[i] = (float) (values[i] / sum);
        }
    }
}
