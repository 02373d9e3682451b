package io.cutwater.format.table;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A scratch file with the vertices of one shard, between the sorted partition book and the shard's table: two longs
 * each, the id, and the degree with the home mark in bit 0. The file exists only during one completion, so it has no
 * version.
 */
public final class ShardVertexFile implements Closeable {
    public static final int ROW_BYTES = 2 * Long.BYTES;

    private static final int MAX_ROWS_READ = 4096;

    private final @Nullable FileChannel channel;
    private final ByteBuffer buffer;
    private final long size;
    private long vertex;
    private long marked;

    public ShardVertexFile(Path file) throws IOException {
        channel = Files.exists(file) ? FileChannel.open(file, StandardOpenOption.READ) : null;
        size = channel == null ? 0 : channel.size() / ROW_BYTES;
        buffer = ByteBuffer.allocate((int) Math.min(MAX_ROWS_READ, size) * ROW_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        buffer.limit(0);
    }

    public static void put(ByteBuffer out, long vertex, long degree, boolean isHome) {
        out.putLong(vertex).putLong(degree << 1 | (isHome ? 1 : 0));
    }

    /** Advances to the next vertex; returns false at the end. */
    public boolean next() throws IOException {
        if (buffer.remaining() < ROW_BYTES) {
            if (channel == null) {
                return false;
            }
            buffer.compact();
            while (buffer.position() < ROW_BYTES && channel.read(buffer) >= 0) {}
            buffer.flip();
            if (buffer.remaining() < ROW_BYTES) {
                return false;
            }
        }
        vertex = buffer.getLong();
        marked = buffer.getLong();
        return true;
    }

    /** Returns the number of vertices in the file. */
    public long size() {
        return size;
    }

    public long vertex() {
        return vertex;
    }

    public long degree() {
        return marked >>> 1;
    }

    /** Returns whether the shard has the vertex's master, or owns it. */
    public boolean isHome() {
        return (marked & 1) != 0;
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
