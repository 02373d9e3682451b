package io.cutwater.state.disk;

import io.cutwater.state.scratch.ScratchFolder;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** Reads what {@link IntWriter} wrote, or a part of it. */
final class IntReader implements Closeable {
    private static final int BUFFER_INTS = 1 << 16;

    private final FileChannel file;
    private final boolean isOwner;
    private final ByteBuffer bytes;
    private long next;
    private final long end;

    /** The whole file. */
    IntReader(ScratchFolder scratch, String name) throws IOException {
        this(scratch, name, 0);
    }

    /** The file from number {@code next} on. */
    IntReader(ScratchFolder scratch, String name, long next) throws IOException {
        this.next = next;
        file = scratch.open(name);
        isOwner = true;
        bytes = buffer();
        end = file.size() / Integer.BYTES;
    }

    /** The numbers from {@code next} to {@code end} − 1 of a file that stays open, through a {@link #buffer}. */
    IntReader(FileChannel file, ByteBuffer buffer, long next, long end) {
        this.file = file;
        bytes = buffer;
        isOwner = false;
        this.next = next;
        this.end = end;
    }

    static ByteBuffer buffer() {
        return ByteBuffer.allocateDirect(BUFFER_INTS * Integer.BYTES).order(ByteOrder.nativeOrder());
    }

    /** Returns how many numbers remain. */
    long remaining() {
        return end - next;
    }

    /**
     * Reads the next numbers.
     *
     * @param length how many there is room for
     * @return how many were read: {@code length}, or fewer at the end
     */
    int read(int[] into, int from, int length) throws IOException {
        int total = (int) Math.min(length, remaining());
        for (int done = 0; done < total; ) {
            int some = Math.min(BUFFER_INTS, total - done);
            bytes.clear().limit(some * Integer.BYTES);
            for (long at = next * Integer.BYTES; bytes.hasRemaining(); ) {
                int read = file.read(bytes, at);
                if (read < 0) {
                    throw new EOFException("a scratch file became shorter: nobody else may change them");
                }
                at += read;
            }
            bytes.flip().asIntBuffer().get(into, from + done, some);
            next += some;
            done += some;
        }
        return total;
    }

    @Override
    public void close() throws IOException {
        if (isOwner) {
            file.close();
        }
    }
}
