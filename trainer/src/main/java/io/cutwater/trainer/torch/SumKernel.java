package io.cutwater.trainer.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;

/**
 * Weighted sums of rows: PyTorch's {@code embedding_bag} on the CPU, without a sort of the indices and in a fixed
 * order, and a product with a sparse matrix on a GPU. DJL offers neither. Used by one thread.
 */
final class SumKernel implements AutoCloseable {
    private static final String CODE = """
            class Module(Module):
              __parameters__ = []
              __buffers__ = []
              def forward(self: __torch__.Module,
                rows: Tensor,
                indices: Tensor,
                offsets: Tensor,
                weights: Tensor) -> Tensor:
                return self.sum(rows, indices, offsets, weights)
            """;

    private final Script script;

    SumKernel(NDManager manager) {
        script = new Script(manager, CODE + Script.resource("sum"));
    }

    /**
     * Returns the weighted sums of rows. Its gradient must not be asked of PyTorch, which would sort the indices.
     *
     * @param indices row of each term, 32-bit
     * @param offsets first term of each sum, 32-bit, and the number of terms
     * @param weights weight of each term
     */
    NDArray sum(NDArray rows, NDArray indices, NDArray offsets, NDArray weights) {
        return script.run(rows, indices, offsets, weights);
    }

    @Override
    public void close() {
        script.close();
    }
}
