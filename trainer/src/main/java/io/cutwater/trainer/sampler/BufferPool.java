package io.cutwater.trainer.sampler;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * Buffers off the heap that are used again: only the garbage collector frees one, and it does not know how large they
 * are. Any number of threads.
 */
final class BufferPool {
    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
    private int made;

    /**
     * A buffer of exactly that many bytes.
     *
     * @throws IllegalStateException if a mini-batch is beyond the 2 GiB of one buffer
     */
    ByteBuffer take(long bytes) {
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
            // An eighth more, so that a slightly larger batch does not need a new one.
            buffer = ByteBuffer.allocateDirect((int) Math.min(Integer.MAX_VALUE, bytes + bytes / 8));
        }
        return buffer.clear().limit((int) bytes).order(ByteOrder.nativeOrder());
    }

    /** How many buffers there are at once, at most. */
    int made() {
        synchronized (free) {
            return made;
        }
    }

    void giveBack(ByteBuffer buffer) {
        synchronized (free) {
            free.push(buffer);
        }
    }
}
