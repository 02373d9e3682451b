package io.cutwater.trainer.torch;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import io.cutwater.trainer.sampler.InputRows;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Brings arrays of primitives to a device. What it makes belongs to the surrounding {@code NDScope}, or else lives as
 * long as this. Used by one thread.
 *
 * <p>On the CPU, DJL lets PyTorch read arrays where Java holds them, and frees that memory when the garbage collector
 * finds it: sparse arrays made that way crash, and the others grow until a collection. So each array goes through one
 * buffer and is copied; PyTorch then holds, and frees, its own. To a GPU, DJL copies by itself, and waits for it: there
 * is no way to copy while the GPU computes.
 */
public final class Tensors implements AutoCloseable {
    private final NDManager manager;
    private final DataType type;
    private ByteBuffer changed = ByteBuffer.allocateDirect(0);
    private ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.nativeOrder());

    /** Numbers of 32 bits on a device. */
    public Tensors(Device device) {
        this(device, DataType.FLOAT32);
    }

    /** @param type of numbers: 64 bits show in tests what 32 bits would round away */
    public Tensors(Device device, DataType type) {
        manager = Torch.load().newBaseManager(device);
        this.type = type;
    }

    /** What owns the arrays. */
    public NDManager manager() {
        return manager;
    }

    /** An array of the first numbers of {@code values}, as many as the shape has. */
    public NDArray floats(float[] values, Shape shape) {
        int count = Math.toIntExact(shape.size());
        ByteBuffer bytes = room((long) count * Float.BYTES);
        bytes.asFloatBuffer().put(values, 0, count);
        NDArray copy = copy(bytes, shape, DataType.FLOAT32);
        return type == DataType.FLOAT32 ? copy : copy.toType(type, false);
    }

    /** A column of 64-bit integers. */
    public NDArray column(int[] values) {
        ByteBuffer bytes = room((long) values.length * Long.BYTES);
        for (int i = 0; i < values.length; i++) {
            bytes.putLong(i * Long.BYTES, values[i]);
        }
        return copy(bytes, new Shape(values.length, 1), DataType.INT64);
    }

    /** Features; dense ones are read where they lie, so their buffer must stay until nothing reads the array. */
    public NDArray inputs(InputRows rows) {
        if (rows instanceof InputRows.Sparse sparse) {
            return sparse(sparse.rows(), sparse.columns(), sparse.offsets(), sparse.indices(), sparse.values());
        }
        InputRows.Dense dense = (InputRows.Dense) rows;
        return shared(dense, dense.values());
    }

    /** Puts as many numbers into a buffer as there are in another. */
    @FunctionalInterface
    public interface Change {
        void apply(FloatBuffer from, FloatBuffer into);
    }

    /** Features that are changed on their way; good until the next call. */
    public NDArray changed(InputRows.Dense rows, Change change) {
        int bytes = rows.values().remaining();
        if (changed.capacity() < bytes) {
            changed = roomFor(bytes);
        }
        ByteBuffer into = changed.clear().limit(bytes).order(ByteOrder.nativeOrder());
        change.apply(rows.values().asFloatBuffer(), into.asFloatBuffer());
        return shared(rows, into);
    }

    private NDArray shared(InputRows.Dense rows, ByteBuffer values) {
        NDArray array = manager.create(values, new Shape(rows.rows(), rows.columns()), DataType.FLOAT32);
        return type == DataType.FLOAT32 ? array : array.toType(type, false);
    }

    /**
     * A sparse matrix, to multiply with: {@code sparse.matMul(dense)} passes gradients to the dense side. PyTorch sorts
     * it first on a GPU, in each product, and may add up in another order each time: numbers that must be the same
     * again are for the CPU.
     *
     * @param offsets where the numbers of each row begin, and the end
     * @param indices the column of each number
     */
    public NDArray sparse(int rows, int columns, int[] offsets, int[] indices, float[] values) {
        int count = offsets[rows];
        ByteBuffer bytes = room(2L * count * Long.BYTES);
        for (int row = 0; row < rows; row++) {
            for (int i = offsets[row]; i < offsets[row + 1]; i++) {
                bytes.putLong(i * Long.BYTES, row);
                bytes.putLong((count + i) * Long.BYTES, indices[i]);
            }
        }
        NDArray places = copy(bytes, new Shape(2, count), DataType.INT64);
        NDArray numbers = floats(values, new Shape(count));
        return JniUtils.createSparseCoo((PtNDArray) places, (PtNDArray) numbers, new Shape(rows, columns));
    }

    private ByteBuffer room(long bytes) {
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalStateException(
                    "a mini-batch needs an array of %d bytes, more than 2 GiB; ask for a smaller batch or fan-out"
                            .formatted(bytes));
        }
        if (buffer.capacity() < bytes) {
            buffer = roomFor(bytes);
        }
        return buffer.clear().limit((int) bytes);
    }

    /** An eighth more, so that a slightly larger batch does not need a new one. */
    private static ByteBuffer roomFor(long bytes) {
        return ByteBuffer.allocateDirect((int) Math.min(Integer.MAX_VALUE, bytes + bytes / 8))
                .order(ByteOrder.nativeOrder());
    }

    private NDArray copy(ByteBuffer bytes, Shape shape, DataType of) {
        NDArray shared = manager.create(bytes, shape, of);
        if (manager.getDevice().isGpu()) {
            return shared; // it has been copied there, once what was under way there before was done
        }
        try (shared) {
            return shared.duplicate();
        }
    }

    @Override
    public void close() {
        manager.close();
    }
}
