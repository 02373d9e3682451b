package io.cutwater.format.vertex;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A sequential reader of little-endian longs in a scratch file; a missing file has none. */
final class LongFile implements Closeable {
    private static final int BUFFER_BYTES = 1 << 15;

    private final @Nullable FileChannel channel;
    private final ByteBuffer buffer =
            ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);

    LongFile(Path file) throws IOException {
        channel = Files.exists(file) ? FileChannel.open(file, StandardOpenOption.READ) : null;
    }

    long next() throws IOException {
        if (buffer.remaining() < Long.BYTES) {
            buffer.compact();
            while (buffer.position() < Long.BYTES) {
                if (channel == null || channel.read(buffer) < 0) {
                    throw new IOException("a scratch file of the output folder ended early");
                }
            }
            buffer.flip();
        }
        return buffer.getLong();
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
