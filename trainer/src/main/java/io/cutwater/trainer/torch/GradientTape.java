package io.cutwater.trainer.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes gradients of a function with sparse products. PyTorch's own gradient of such a product sorts the indices
 * each time, so the function is divided at each product: PyTorch differentiates the pieces, and the gradient of a
 * product is a product with the transpose. Used by one thread.
 */
public final class GradientTape implements AutoCloseable {
    private final Tensors tensors;
    private final List<Piece> pieces = new ArrayList<>();

    /** What leads from the end of a piece, {@code from}, to the beginning of the next one, {@code to}. */
    private record Piece(NDArray from, NDArray to, Step gradient) {}

    /** Computes the gradient of {@code from} from that of {@code to}. */
    @FunctionalInterface
    private interface Step {
        NDArray of(NDArray gradient);
    }

    GradientTape(Tensors tensors) {
        this.tensors = tensors;
    }

    NDArray multiply(SparseMatrix matrix, NDArray right) {
        return begin(right, matrix.times(right.stopGradient()), matrix::transposedTimes);
    }

    /**
     * Returns an array as the beginning of a new piece. Of an array that several products read, the gradient is then
     * propagated once and not once per product.
     */
    public NDArray divide(NDArray array) {
        return array.hasGradient() ? begin(array, array.stopGradient(), gradient -> gradient) : array;
    }

    private NDArray begin(NDArray from, NDArray to, Step gradient) {
        to.setRequiresGradient(true);
        pieces.add(new Piece(from, to, gradient));
        return to;
    }

    /** Adds the gradients of a function to those of the arrays that it depends on, in the order of dependence. */
    public void backward(NDArray function) {
        backward(function, function.onesLike());
        for (int i = pieces.size() - 1; i >= 0; i--) {
            Piece piece = pieces.get(i);
            JniUtils.setGradMode(false);
            NDArray gradient = piece.gradient().of(piece.to().getGradient());
            JniUtils.setGradMode(true);
            backward(piece.from(), gradient);
        }
        pieces.clear();
    }

    private static void backward(NDArray of, NDArray gradient) {
        // The pieces overlap where an array is read by several: their graphs are needed until the last of them.
        JniUtils.backward((PtNDArray) of, (PtNDArray) gradient, true, false);
    }

    @Override
    public void close() {
        tensors.end(this);
    }
}
