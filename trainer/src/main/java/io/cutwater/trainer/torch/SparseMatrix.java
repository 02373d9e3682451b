package io.cutwater.trainer.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrayAdapter;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.ndarray.types.SparseFormat;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A constant matrix in compressed sparse rows, for use as left operand of {@code matMul} only. Its transpose, which
 * gradients need, is computed once. Used by one thread.
 */
final class SparseMatrix extends NDArrayAdapter {
    private final Tensors tensors;
    private final Pattern pattern;
    private final float[] numbers;
    private final boolean isKept;
    private @Nullable NDArray weights;
    private @Nullable SparseMatrix transposed;

    /** The places of the values. {@code order} has, for a transpose, the position of each value in the original. */
    private static final class Pattern {
        private final int rows;
        private final int columns;
        private final int[] offsets;
        private final int[] indices;
        private final int @Nullable [] order;
        private final boolean isKept;
        private @Nullable NDArray offsetArray;
        private @Nullable NDArray indexArray;
        private @Nullable Pattern transposed;

        Pattern(int rows, int columns, int[] offsets, int[] indices, int @Nullable [] order, boolean isKept) {
            this.rows = rows;
            this.columns = columns;
            this.offsets = offsets;
            this.indices = indices;
            this.order = order;
            this.isKept = isKept;
        }

        int count() {
            return offsets[rows];
        }

        Pattern transposed() {
            if (transposed == null) {
                int[] starts = new int[columns + 1];
                for (int i = 0; i < count(); i++) {
                    starts[indices[i] + 1]++;
                }
                for (int column = 0; column < columns; column++) {
                    starts[column + 1] += starts[column];
                }
                int[] next = Arrays.copyOf(starts, columns);
                int[] rowOf = new int[count()];
                int[] from = new int[count()];
                for (int row = 0; row < rows; row++) {
                    for (int i = offsets[row]; i < offsets[row + 1]; i++) {
                        int at = next[indices[i]]++;
                        rowOf[at] = row;
                        from[at] = i;
                    }
                }
                transposed = new Pattern(columns, rows, starts, rowOf, from, isKept);
            }
            return transposed;
        }

        NDArray offsetArray(Tensors tensors) {
            if (offsetArray == null) {
                offsetArray = keep(tensors.ints(offsets, rows + 1));
            }
            return offsetArray;
        }

        NDArray indexArray(Tensors tensors) {
            if (indexArray == null) {
                indexArray = keep(tensors.ints(indices, count()));
            }
            return indexArray;
        }

        NDArray keep(NDArray array) {
            if (isKept) {
                NDScope.unregister(array);
            }
            return array;
        }
    }

    /** @param isKept whether the matrix outlives the surrounding {@code NDScope} */
    SparseMatrix(Tensors tensors, int rows, int columns, int[] offsets, int[] indices, float[] values, boolean isKept) {
        this(tensors, new Pattern(rows, columns, offsets, indices, null, isKept), values, isKept);
    }

    private SparseMatrix(Tensors tensors, Pattern pattern, float[] numbers, boolean isKept) {
        super(tensors.manager(), tensors.manager(), new Shape(pattern.rows, pattern.columns), tensors.type(), "sparse");
        this.tensors = tensors;
        this.pattern = pattern;
        this.numbers = numbers;
        this.isKept = isKept;
    }

    /** Returns a matrix with other values in the same places, which is not kept. */
    NDArray withValues(float[] values) {
        return new SparseMatrix(tensors, pattern, values, false);
    }

    private SparseMatrix transposed() {
        if (transposed == null) {
            Pattern turned = pattern.transposed();
            int[] order = turned.order;
            float[] moved = new float[pattern.count()];
            for (int i = 0; order != null && i < moved.length; i++) {
                moved[i] = numbers[order[i]];
            }
            transposed = new SparseMatrix(tensors, turned, moved, isKept);
        }
        return transposed;
    }

    private NDArray weights() {
        if (weights == null) {
            weights = tensors.floats(numbers, new Shape(pattern.count()));
            if (isKept) {
                NDScope.unregister(weights);
            }
        }
        return weights;
    }

    /** Returns the product without gradient. */
    NDArray times(NDArray right) {
        return tensors.sums().sum(right, pattern.indexArray(tensors), pattern.offsetArray(tensors), weights());
    }

    /** Returns the product of the transpose, without gradient. */
    NDArray transposedTimes(NDArray right) {
        return transposed().times(right);
    }

    @Override
    public NDArray matMul(NDArray right) {
        GradientTape tape = tensors.tape();
        boolean hasGradient = right.hasGradient() && JniUtils.isGradMode();
        if (!hasGradient) {
            return times(right);
        }
        return tape == null ? coordinates().matMul(right) : tape.multiply(this, right);
    }

    /** Returns a matrix of PyTorch's own, whose products propagate gradients, at several times the cost. */
    private NDArray coordinates() {
        int count = pattern.count();
        ByteBuffer bytes = tensors.staging().room(2L * count * Long.BYTES);
        for (int row = 0; row < pattern.rows; row++) {
            for (int i = pattern.offsets[row]; i < pattern.offsets[row + 1]; i++) {
                bytes.putLong(i * Long.BYTES, row);
                bytes.putLong((count + i) * Long.BYTES, pattern.indices[i]);
            }
        }
        NDArray places = tensors.staging().copy(bytes, new Shape(2, count), DataType.INT64);
        NDArray values = tensors.floats(numbers, new Shape(count));
        return JniUtils.createSparseCoo(
                (PtNDArray) places, (PtNDArray) values, new Shape(pattern.rows, pattern.columns));
    }

    @Override
    public SparseFormat getSparseFormat() {
        return SparseFormat.CSR;
    }

    @Override
    public void intern(NDArray replaced) {
        throw new UnsupportedOperationException("a sparse matrix is constant");
    }

    /** Does nothing: the matrix's arrays belong to their own scope. */
    @Override
    public void detach() {}

    @Override
    public ByteBuffer toByteBuffer(boolean tryDirect) {
        throw new UnsupportedOperationException("a sparse matrix is no array of numbers; only multiply it");
    }
}
