package io.cutwater.trainer.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.cutwater.trainer.feature.DenseFeatures;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/** Dense features of all vertices of a shard on the device, where mini-batches select their rows. */
final class HeldRows {
    /** Number of values that are copied together: 4 MiB, since their buffer is kept as long as the tensors. */
    private static final int VALUES_AT_ONCE = 1 << 20;

    private static final String PUT = """
            class Module(Module):
              __parameters__ = []
              __buffers__ = []
              def forward(self: __torch__.Module, into: Tensor, rows: Tensor, at: Tensor) -> Tensor:
                return torch.copy_(torch.narrow(into, 0, int(at[0]), torch.size(rows, 0)), rows)
            """;
    private static final String SELECT = """
            class Module(Module):
              __parameters__ = []
              __buffers__ = []
              def forward(self: __torch__.Module, rows: Tensor, numbers: Tensor) -> Tensor:
                return torch.index_select(rows, 0, numbers)
            """;

    private final Tensors tensors;
    private final NDArray rows;

    /** Copies the rows of the first vertices. */
    HeldRows(Tensors tensors, DenseFeatures features, int count) {
        this.tensors = tensors;
        int columns = features.columns();
        rows = tensors.manager().zeros(new Shape(count, columns), DataType.FLOAT32);
        int atOnce = Math.max(1, VALUES_AT_ONCE / columns);
        for (int from = 0; from < count; from += atOnce) {
            put(features, from, Math.min(atOnce, count - from));
        }
    }

    private void put(DenseFeatures features, int from, int count) {
        ByteBuffer bytes = tensors.staging().room((long) count * features.columns() * Float.BYTES);
        FloatBuffer values = bytes.asFloatBuffer();
        for (int row = from; row < from + count; row++) {
            features.copyRow(row, values);
        }
        try (NDScope scope = new NDScope()) {
            scope.suppressNotUsedWarning();
            NDArray next = tensors.staging().copy(bytes, new Shape(count, features.columns()), DataType.FLOAT32);
            tensors.script(PUT).run(rows, next, tensors.longsOnCpu(new long[] {from}));
        }
    }

    /** Returns all rows. */
    NDArray all() {
        return rows;
    }

    /** Returns the rows of some vertices, by their local numbers. */
    NDArray select(int[] vertices, int count) {
        return tensors.script(SELECT).run(rows, tensors.ints(vertices, count));
    }
}
