package io.cutwater.state.disk;

import io.cutwater.state.scratch.ScratchFolder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.channels.FileChannel;

/** Writes 4-byte numbers to a file in native byte order. */
final class IntWriter implements Closeable {
    private static final int BUFFER_INTS = 1 << 16;

    private final ScratchFolder scratch;
    private final FileChannel file;
    private final ByteBuffer bytes =
            ByteBuffer.allocateDirect(BUFFER_INTS * Integer.BYTES).order(ByteOrder.nativeOrder());
    private final IntBuffer ints = bytes.asIntBuffer();
    private long written;

    IntWriter(ScratchFolder scratch, String name) throws IOException {
        this.scratch = scratch;
        file = scratch.create(name);
    }

    void write(int value) throws IOException {
        if (!ints.hasRemaining()) {
            flush();
        }
        ints.put(value);
    }

    void write(int[] values, int length) throws IOException {
        for (int from = 0; from < length; ) {
            if (!ints.hasRemaining()) {
                flush();
            }
            int some = Math.min(ints.remaining(), length - from);
            ints.put(values, from, some);
            from += some;
        }
    }

    /** Makes everything so far readable. */
    void flush() throws IOException {
        bytes.limit(ints.position() * Integer.BYTES).position(0);
        long size = bytes.remaining();
        scratch.write(file, bytes, written);
        written += size;
        bytes.clear();
        ints.clear();
    }

    /** Closes the file; without a {@link #flush} before, the last numbers are lost. */
    @Override
    public void close() throws IOException {
        file.close();
    }
}
