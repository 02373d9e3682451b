package io.cutwater.trainer.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A direct buffer through which arrays get to a device.
 *
 * <p>On the CPU, DJL lets PyTorch read arrays in Java's memory, which the garbage collector frees: sparse arrays
 * created that way crash, and dense ones accumulate until a collection. Each array is therefore copied through one
 * buffer into memory that PyTorch owns. To a GPU, DJL copies by itself and waits: it cannot copy while the GPU
 * computes.
 */
final class StagingBuffer {
    private final NDManager manager;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.nativeOrder());

    /** @param manager owner of the copies, on their device */
    StagingBuffer(NDManager manager) {
        this.manager = manager;
    }

    /** Returns an empty buffer, valid until the next call. */
    ByteBuffer room(long bytes) {
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalStateException(
                    "a mini-batch needs an array of %d bytes, more than 2 GiB; ask for a smaller batch or fan-out"
                            .formatted(bytes));
        }
        if (buffer.capacity() < bytes) {
            buffer = allocate(bytes);
        }
        return buffer.clear().limit((int) bytes);
    }

    /** Returns a direct buffer. Rounds up by an eighth, so that a slightly larger batch needs no new one. */
    static ByteBuffer allocate(long bytes) {
        return ByteBuffer.allocateDirect((int) Math.min(Integer.MAX_VALUE, bytes + bytes / 8))
                .order(ByteOrder.nativeOrder());
    }

    /** Returns an array on the device with the bytes of a direct buffer. */
    NDArray copy(ByteBuffer bytes, Shape shape, DataType type) {
        NDArray shared = manager.create(bytes, shape, type);
        if (manager.getDevice().isGpu()) {
            return shared; // copied, after all earlier operations on the device
        }
        try (shared) {
            return shared.duplicate();
        }
    }
}
