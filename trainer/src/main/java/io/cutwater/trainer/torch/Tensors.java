package io.cutwater.trainer.torch;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.sampler.InputRows;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Copies arrays of primitives to a device. The created arrays belong to the surrounding {@code NDScope}, otherwise to
 * this instance. Used by one thread.
 */
public final class Tensors implements AutoCloseable {
    private final NDManager manager;
    private final NDManager onCpu;
    private final DataType type;
    private final Map<Object, Map<String, NDArray>> kept = new IdentityHashMap<>();
    private final Map<String, Script> scripts = new HashMap<>();
    private @Nullable SumKernel sums;
    private @Nullable GradientTape tape;
    private final StagingBuffer staging;
    private @Nullable HeldRows held;
    private ByteBuffer changed = ByteBuffer.allocateDirect(0);

    /** Creates tensors of 32-bit floats on a device. */
    public Tensors(Device device) {
        this(device, DataType.FLOAT32);
    }

    /** @param type type of values; tests use 64 bits to see what 32 bits would round away */
    public Tensors(Device device, DataType type) {
        manager = Torch.load().newBaseManager(device);
        onCpu = device.isGpu() ? manager.newSubManager(Device.cpu()) : manager;
        this.type = type;
        staging = new StagingBuffer(manager);
    }

    /** Returns the owner of the arrays. */
    public NDManager manager() {
        return manager;
    }

    DataType type() {
        return type;
    }

    StagingBuffer staging() {
        return staging;
    }

    /**
     * Begins to record sparse products for a gradient; ends when the tape is closed. Without a tape PyTorch computes
     * their gradients itself, at several times the cost.
     */
    public GradientTape record() {
        GradientTape begun = new GradientTape(this);
        tape = begun;
        return begun;
    }

    @Nullable GradientTape tape() {
        return tape;
    }

    void end(GradientTape ended) {
        tape = tape == ended ? null : tape;
    }

    SumKernel sums() {
        SumKernel kernel = sums;
        if (kernel == null) {
            kernel = new SumKernel(manager);
            sums = kernel;
        }
        return kernel;
    }

    /** Returns the module of a code, which is loaded once. */
    Script script(String code) {
        return scripts.computeIfAbsent(code, unused -> new Script(manager, code));
    }

    /** Lets arrays of a key outlive the surrounding {@code NDScope}, because the key will be used again. */
    public void keep(Object key) {
        kept.computeIfAbsent(key, unused -> new HashMap<>());
    }

    /** Makes a matrix. */
    @FunctionalInterface
    public interface MatrixSource {
        /** @param isKept whether the matrix outlives the surrounding {@code NDScope} */
        NDArray make(boolean isKept);
    }

    /** Returns a matrix that belongs to a key, which is made once if the key is kept. */
    public NDArray matrix(Object key, String name, MatrixSource source) {
        Map<String, NDArray> arrays = kept.get(key);
        return arrays == null ? source.make(false) : arrays.computeIfAbsent(name, unused -> source.make(true));
    }

    /** Returns an array of the first values, as many as the shape has. */
    public NDArray floats(float[] values, Shape shape) {
        int count = Math.toIntExact(shape.size());
        ByteBuffer bytes = staging.room((long) count * Float.BYTES);
        bytes.asFloatBuffer().put(values, 0, count);
        NDArray copy = staging.copy(bytes, shape, DataType.FLOAT32);
        return type == DataType.FLOAT32 ? copy : copy.toType(type, false);
    }

    /** Returns one array of the values of all arrays, one after the other. */
    public NDArray flat(float[][] arrays) {
        int count = 0;
        for (float[] array : arrays) {
            count += array.length;
        }
        float[] all = new float[count];
        int at = 0;
        for (float[] array : arrays) {
            System.arraycopy(array, 0, all, at, array.length);
            at += array.length;
        }
        return floats(all, new Shape(count));
    }

    /** Returns an array of the first 32-bit integers. */
    NDArray ints(int[] values, int count) {
        ByteBuffer bytes = staging.room((long) count * Integer.BYTES);
        bytes.asIntBuffer().put(values, 0, count);
        return staging.copy(bytes, new Shape(count), DataType.INT32);
    }

    /** Returns an array of the first 32-bit integers that outlives the surrounding {@code NDScope} if it is kept. */
    NDArray ints(int[] values, int count, boolean isKept) {
        return keep(ints(values, count), isKept);
    }

    /** Returns an array of values that outlives the surrounding {@code NDScope} if it is kept. */
    NDArray floats(float[] values, boolean isKept) {
        return keep(floats(values, new Shape(values.length)), isKept);
    }

    static NDArray keep(NDArray array, boolean isKept) {
        if (isKept) {
            NDScope.unregister(array);
        }
        return array;
    }

    /**
     * Returns an array of the 32-bit integers of a direct buffer: on the CPU whatever the device, and read in place, so
     * that the buffer must outlive the array; or a copy on the device that outlives the surrounding {@code NDScope}.
     */
    NDArray ints(ByteBuffer values, boolean isKept) {
        Shape shape = new Shape(values.remaining() / Integer.BYTES);
        return isKept
                ? keep(staging.copy(values, shape, DataType.INT32), true)
                : onCpu.create(values, shape, DataType.INT32);
    }

    /** Returns an empty array of 32-bit floats. */
    NDArray noFloats() {
        return onCpu.zeros(new Shape(0), DataType.FLOAT32);
    }

    /** Copies dense features to the device, where mini-batches select their rows until this is closed. */
    public void hold(DenseFeatures features, int rows) {
        held = new HeldRows(this, features, rows);
    }

    /** Returns whether the device holds features. */
    public boolean holds() {
        return held != null;
    }

    /** Returns the features that the device holds, one row per vertex; 32 bits whatever the type of values. */
    public NDArray held() {
        return heldRows().all();
    }

    private HeldRows heldRows() {
        return Objects.requireNonNull(held, "the device holds no features");
    }

    /** Returns an array of 64-bit integers on the CPU, whatever the device. */
    NDArray longsOnCpu(long[] values) {
        ByteBuffer bytes = staging.room((long) values.length * Long.BYTES);
        bytes.asLongBuffer().put(values);
        try (NDArray shared = onCpu.create(bytes, new Shape(values.length), DataType.INT64)) {
            return shared.duplicate();
        }
    }

    /** Returns whether operations are executed by a GPU. */
    public boolean isOnGpu() {
        return manager.getDevice().isGpu();
    }

    /** Returns a column of 64-bit integers. */
    public NDArray column(int[] values) {
        ByteBuffer bytes = staging.room((long) values.length * Long.BYTES);
        for (int i = 0; i < values.length; i++) {
            bytes.putLong(i * Long.BYTES, values[i]);
        }
        return staging.copy(bytes, new Shape(values.length, 1), DataType.INT64);
    }

    /** Returns the features of a mini-batch. Dense ones are read in place, so their buffer must outlive the array. */
    public NDArray inputs(InputRows rows) {
        if (rows instanceof InputRows.Sparse sparse) {
            return sparse(sparse);
        }
        if (rows instanceof InputRows.Selected selected) {
            return matrix(rows, "inputs", isKept -> keep(select(selected), isKept));
        }
        InputRows.Dense dense = (InputRows.Dense) rows;
        return matrix(rows, "inputs", isKept -> keep(shared(dense, dense.values()), isKept));
    }

    /** Returns dense features, or the values of sparse ones, one after the other. */
    public NDArray values(InputRows rows) {
        return rows instanceof InputRows.Sparse sparse
                ? matrix(rows, "values", isKept -> floats(sparse.values(), isKept))
                : inputs(rows);
    }

    /** Fills a buffer with transformed values of another one. */
    @FunctionalInterface
    public interface Change {
        void apply(FloatBuffer from, FloatBuffer into);
    }

    /** Returns transformed features, valid until the next call. */
    public NDArray changed(InputRows.Dense rows, Change change) {
        int bytes = rows.values().remaining();
        if (changed.capacity() < bytes) {
            changed = StagingBuffer.allocate(bytes);
        }
        ByteBuffer into = changed.clear().limit(bytes).order(ByteOrder.nativeOrder());
        change.apply(rows.values().asFloatBuffer(), into.asFloatBuffer());
        return shared(rows, into);
    }

    private NDArray select(InputRows.Selected rows) {
        NDArray selected = heldRows().select(rows.vertices(), rows.rows());
        return type == DataType.FLOAT32 ? selected : selected.toType(type, false);
    }

    private NDArray shared(InputRows.Dense rows, ByteBuffer values) {
        NDArray array = manager.create(values, new Shape(rows.rows(), rows.columns()), DataType.FLOAT32);
        return type == DataType.FLOAT32 ? array : array.toType(type, false);
    }

    private NDArray sparse(InputRows.Sparse rows) {
        return matrix(
                rows,
                "inputs",
                isKept -> sparse(rows.rows(), rows.columns(), rows.offsets(), rows.indices(), rows.values(), isKept));
    }

    /** Returns sparse features with other values in the same places. */
    public NDArray changed(InputRows.Sparse rows, float[] values) {
        return ((SparseMatrix) sparse(rows)).withValues(values);
    }

    /**
     * Returns a sparse matrix for use as left operand: {@code sparse.matMul(dense)} propagates gradients to the dense
     * operand. The arrays must not change afterwards.
     *
     * @param offsets start of the values of each row, and the end of the last
     * @param indices column of each value
     * @param isKept whether the matrix outlives the surrounding {@code NDScope}
     */
    public NDArray sparse(int rows, int columns, int[] offsets, int[] indices, float[] values, boolean isKept) {
        return new SparseMatrix(this, rows, columns, offsets, indices, values, isKept);
    }

    @Override
    public void close() {
        if (sums != null) {
            sums.close();
        }
        scripts.values().forEach(Script::close);
        manager.close();
    }
}
