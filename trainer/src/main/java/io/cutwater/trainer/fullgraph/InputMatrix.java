package io.cutwater.trainer.fullgraph;

import io.cutwater.trainer.exchange.ShardRows;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first layer's inputs of a shard's own rows, which do not change: dense, or as compressed sparse rows. With
 * dropout 8 bytes per dense value, or 12 per nonzero one.
 */
final class InputMatrix {
    private static final double SPARSE_BELOW = 0.3;

    private final int rows;
    private final int columns;
    private final int @Nullable [] offsets; // null if dense
    private final int @Nullable [] indices;
    private final float[] values;
    private float[] dropped = {};

    private InputMatrix(int rows, int columns, int @Nullable [] offsets, int @Nullable [] indices, float[] values) {
        this.rows = rows;
        this.columns = columns;
        this.offsets = offsets;
        this.indices = indices;
        this.values = values;
    }

    /** Collects a matrix from blocks of columns. */
    static final class Builder {
        private final int rows;
        private final int columns;
        private final List<Block> blocks = new ArrayList<>();
        private long nonzero;

        /** Nonzero values of some columns, by row. */
        private record Block(int[] offsets, int[] indices, float[] values) {}

        Builder(int rows, int columns) {
            this.rows = rows;
            this.columns = columns;
        }

        /** Adds the next columns, from {@code first} on; values has at least the rows of the matrix. */
        void add(int first, int width, float[] block) {
            int[] ends = new int[rows + 1];
            for (int row = 0; row < rows; row++) {
                int count = 0;
                for (int i = row * width; i < (row + 1) * width; i++) {
                    count += block[i] == 0 ? 0 : 1;
                }
                ends[row + 1] = ends[row] + count;
            }
            int[] indices = new int[ends[rows]];
            float[] values = new float[ends[rows]];
            int at = 0;
            for (int i = 0; i < rows * width; i++) {
                if (block[i] != 0) {
                    indices[at] = first + i % width;
                    values[at++] = block[i];
                }
            }
            blocks.add(new Block(ends, indices, values));
            nonzero += at;
        }

        InputMatrix build() {
            boolean isSparse = nonzero < SPARSE_BELOW * rows * columns;
            long numbers = isSparse ? nonzero : (long) rows * columns;
            if (numbers > Integer.MAX_VALUE - 8) {
                throw new IllegalStateException(
                        "the features of a shard are %,d numbers, but at most 2^31 are possible; use more partitions"
                                .formatted(numbers));
            }
            float[] values = new float[(int) numbers];
            if (!isSparse) {
                for (Block block : blocks) {
                    for (int row = 0; row < rows; row++) {
                        for (int i = block.offsets[row]; i < block.offsets[row + 1]; i++) {
                            values[row * columns + block.indices[i]] = block.values[i];
                        }
                    }
                }
                return new InputMatrix(rows, columns, null, null, values);
            }
            int[] offsets = new int[rows + 1];
            int[] indices = new int[(int) numbers];
            int at = 0;
            for (int row = 0; row < rows; row++) {
                for (Block block : blocks) {
                    int begin = block.offsets[row];
                    int count = block.offsets[row + 1] - begin;
                    System.arraycopy(block.indices, begin, indices, at, count);
                    System.arraycopy(block.values, begin, values, at, count);
                    at += count;
                }
                offsets[row + 1] = at;
            }
            return new InputMatrix(rows, columns, offsets, indices, values);
        }
    }

    private int begin(int row) {
        return offsets == null ? row * columns : offsets[row];
    }

    /** Draws which values the next products leave out. */
    void drop(CounterDropout dropout, ShardRows of) {
        if (dropped.length == 0) {
            dropped = new float[values.length];
        }
        for (int row = 0; row < rows; row++) {
            long counter = dropout.row(of.vertex(row));
            int begin = begin(row);
            for (int i = begin; i < begin(row + 1); i++) {
                dropped[i] = values[i] * dropout.factor(counter, indices == null ? i - begin : indices[i]);
            }
        }
    }

    /** Adds the product with a matrix to a result; without dropout unless {@code isTraining}. */
    void addProduct(boolean isTraining, float[] right, int width, float[] result) {
        float[] from = isTraining ? dropped : values;
        for (int row = 0; row < rows; row++) {
            int begin = begin(row);
            for (int i = begin; i < begin(row + 1); i++) {
                if (from[i] != 0) {
                    int column = indices == null ? i - begin : indices[i];
                    Products.addScaled(from[i], right, column * width, result, row * width, width);
                }
            }
        }
    }

    /** Adds the product of the transposed matrix, with dropout, with a matrix of one row per row of this one. */
    void addTransposedProduct(float[] right, int width, float[] result) {
        for (int row = 0; row < rows; row++) {
            int begin = begin(row);
            for (int i = begin; i < begin(row + 1); i++) {
                if (dropped[i] != 0) {
                    int column = indices == null ? i - begin : indices[i];
                    Products.addScaled(dropped[i], right, row * width, result, column * width, width);
                }
            }
        }
    }
}
