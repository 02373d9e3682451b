package io.cutwater.trainer.sampler;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/** A pool of direct buffers, which only the garbage collector can free, without knowing their size. Thread-safe. */
public final class BufferPool {
    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
    private int made;

    /**
     * Returns a buffer of exactly the given size.
     *
     * @throws IllegalStateException if a mini-batch exceeds the 2 GiB of one buffer
     */
    public ByteBuffer take(long bytes) {
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalStateException(
                    "a mini-batch needs %d bytes of features, more than 2 GiB; ask for a smaller batch or fan-out"
                            .formatted(bytes));
        }
        ByteBuffer buffer;
        synchronized (free) {
            buffer = free.poll();
            made += buffer == null ? 1 : 0;
        }
        if (buffer == null || buffer.capacity() < bytes) {
            // Round up by an eighth, so that a slightly larger batch needs no new buffer.
            buffer = ByteBuffer.allocateDirect((int) Math.min(Integer.MAX_VALUE, bytes + bytes / 8));
        }
        return buffer.clear().limit((int) bytes).order(ByteOrder.nativeOrder());
    }

    /** Returns the largest number of buffers in use at the same time. */
    int made() {
        synchronized (free) {
            return made;
        }
    }

    public void giveBack(ByteBuffer buffer) {
        synchronized (free) {
            free.push(buffer);
        }
    }
}
