package io.cutwater.flink.operator;

import io.cutwater.flink.types.shard.ShardVertices;
import io.cutwater.kafka.shard.ShardVertexCodec;
import io.cutwater.state.table.VertexLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what shards learn of vertices, so that a record tells of many. Bounded in total. What is said of the same
 * shard keeps its order.
 */
final class ShardVertexBuffers {
    /** Far below what a record may have, so that one more vertex always fits. */
    private static final int RECORD_BYTES = 64 << 10;

    private static final long TOTAL_BYTES = 8 << 20;

    private final @Nullable Buffer[] buffers = new Buffer[VertexLayout.MAX_PARTITIONS];
    private final Consumer<ShardVertices> full;
    private long bytes;

    ShardVertexBuffers(Consumer<ShardVertices> full) {
        this.full = full;
    }

    /** The shard is to know these data of the vertex. */
    void data(int shard, long vertex, byte[] data) {
        Buffer buffer = bufferFor(shard, false, data.length);
        buffer.data.add(data);
        add(buffer, vertex, data.length);
    }

    /** The shard is to forget what it knows of the vertex. */
    void gone(int shard, long vertex) {
        add(bufferFor(shard, true, 0), vertex, 0);
    }

    private Buffer bufferFor(int shard, boolean isGone, int length) {
        Buffer buffer = buffers[shard];
        if (buffer == null) {
            buffer = new Buffer(shard);
            buffers[shard] = buffer;
        }
        if (buffer.count > 0 && (buffer.isGone != isGone || buffer.bytes + length > RECORD_BYTES)) {
            release(buffer);
        }
        buffer.isGone = isGone;
        return buffer;
    }

    private void add(Buffer buffer, long vertex, int length) {
        buffer.add(vertex, length);
        bytes += Long.BYTES + Integer.BYTES + length;
        if (bytes > TOTAL_BYTES) {
            flush();
        } else if (buffer.bytes > RECORD_BYTES) {
            release(buffer);
        }
    }

    /** Releases what every shard has gathered. */
    void flush() {
        for (Buffer buffer : buffers) {
            if (buffer != null && buffer.count > 0) {
                release(buffer);
            }
        }
    }

    private void release(Buffer buffer) {
        bytes -= buffer.bytes;
        full.accept(new ShardVertices(buffer.shard, buffer.encode()));
        buffer.clear();
    }

    /** Of one shard, and of one kind. */
    private static final class Buffer {
        final int shard;
        final List<byte[]> data = new ArrayList<>();
        boolean isGone;
        int count;
        int bytes;
        private long[] vertices = new long[8];

        Buffer(int shard) {
            this.shard = shard;
        }

        void add(long vertex, int length) {
            if (count == vertices.length) {
                vertices = Arrays.copyOf(vertices, 2 * count);
            }
            vertices[count++] = vertex;
            bytes += Long.BYTES + Integer.BYTES + length;
        }

        byte[] encode() {
            return isGone ? ShardVertexCodec.gone(vertices, count) : ShardVertexCodec.data(vertices, data);
        }

        void clear() {
            data.clear();
            count = 0;
            bytes = 0;
        }
    }
}
