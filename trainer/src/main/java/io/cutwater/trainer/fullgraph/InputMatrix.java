package io.cutwater.trainer.fullgraph;

import io.cutwater.trainer.exchange.ShardRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first layer's inputs of rows of a shard, which do not change: dense, or as compressed sparse rows. 4 bytes per
 * dense value, or 8 per nonzero one, and 8 per nonzero value that dropout keeps.
 */
final class InputMatrix {
    private static final double SPARSE_BELOW = 0.3;

    private final int rows;
    private final int columns;
    private final int @Nullable [] offsets; // null if dense
    private final int @Nullable [] indices;
    private final float[] values;
    private final int[] keptOffsets; // by row, of those that dropout has left
    private int[] keptColumns = {};
    private float[] keptValues = {};

    private InputMatrix(int rows, int columns, int @Nullable [] offsets, int @Nullable [] indices, float[] values) {
        this.rows = rows;
        this.columns = columns;
        this.offsets = offsets;
        this.indices = indices;
        this.values = values;
        keptOffsets = new int[rows + 1];
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

    /** Draws which values the next products of training have. */
    void drop(CounterDropout dropout, ShardRows of) {
        int kept = 0;
        for (int row = 0; row < rows; row++) {
            int begin = begin(row);
            int end = begin(row + 1);
            makeRoom(kept, end - begin, row);
            long counter = dropout.row(of.vertex(row));
            int drawn = -1;
            long draws = 0;
            for (int i = begin; i < end; i++) {
                int column = indices == null ? i - begin : indices[i];
                if (CounterDropout.group(column) != drawn) {
                    drawn = CounterDropout.group(column);
                    draws = dropout.draws(counter, column);
                }
                keptColumns[kept] = column;
                keptValues[kept] = values[i] * dropout.kept();
                kept += values[i] != 0 && dropout.keeps(draws, column) ? 1 : 0; // no branch, which would be at random
            }
            keptOffsets[row + 1] = kept;
        }
    }

    /** Makes room for more values than {@code kept}, in relation to those of the rows so far. */
    private void makeRoom(int kept, int more, int row) {
        if (kept + (long) more > keptColumns.length) {
            double share = row == 0 ? 0 : (double) kept / begin(row);
            long wanted = kept + more + (long) (1.1 * share * (begin(rows) - begin(row)));
            int length = (int) Math.min(wanted, begin(rows));
            keptColumns = Arrays.copyOf(keptColumns, length);
            keptValues = Arrays.copyOf(keptValues, length);
        }
    }

    /** Adds the product with a matrix to a result; without dropout unless {@code isTraining}. */
    void addProduct(boolean isTraining, float[] right, int width, float[] result) {
        float[][] rightRows = Products.rows(right, columns, width);
        float[] sum = new float[width];
        int[] nonzeroColumns = new int[indices == null && !isTraining ? columns : 0];
        float[] nonzeroValues = new float[nonzeroColumns.length];
        for (int row = 0; row < rows; row++) {
            Arrays.fill(sum, 0);
            int begin = begin(row);
            int end = begin(row + 1);
            if (isTraining) {
                Products.addCombination(
                        keptValues, keptColumns, keptOffsets[row], keptOffsets[row + 1], rightRows, sum);
            } else if (indices != null) {
                Products.addCombination(values, indices, begin, end, rightRows, sum);
            } else {
                int count = 0;
                for (int i = begin; i < end; i++) {
                    nonzeroColumns[count] = i - begin;
                    nonzeroValues[count] = values[i];
                    count += values[i] == 0 ? 0 : 1;
                }
                Products.addCombination(nonzeroValues, nonzeroColumns, 0, count, rightRows, sum);
            }
            for (int column = 0; column < width; column++) {
                result[row * width + column] += sum[column];
            }
        }
    }

    /** Adds the product of the transposed matrix, with dropout, with a matrix of one row per row of this one. */
    void addTransposedProduct(float[] right, int width, float[] result) {
        float[][] sums = new float[columns][width];
        float[] rightRow = new float[width];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(right, row * width, rightRow, 0, width);
            for (int i = keptOffsets[row]; i < keptOffsets[row + 1]; i++) {
                Products.addScaled(keptValues[i], rightRow, sums[keptColumns[i]]);
            }
        }
        for (int column = 0; column < columns; column++) {
            for (int i = 0; i < width; i++) {
                result[column * width + i] += sums[column][i];
            }
        }
    }
}
