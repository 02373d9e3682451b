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
 * Buffers of vertex data by shard, so that a record contains many vertices. The total size is bounded, and the order
 * within a shard is kept.
 */
final class ShardVertexBuffers {
    /** Size at which a buffer is released, far below the limit of a record, so that one more vertex always fits. */
    private static final int RECORD_BYTES = 64 << 10;

    private static final long TOTAL_BYTES = 8 << 20;

    private final @Nullable Buffer[] buffers = new Buffer[VertexLayout.MAX_PARTITIONS];
    private final Consumer<ShardVertices> full;
    private long bytes;

    ShardVertexBuffers(Consumer<ShardVertices> full) {
        this.full = full;
    }

    /** Adds data of a vertex for a shard. */
    void data(int shard, long vertex, byte[] data) {
        Buffer buffer = bufferFor(shard, false, data.length);
        buffer.data.add(data);
        add(buffer, vertex, data.length);
    }

    /** Adds the deletion of a vertex's data in a shard. */
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

    /** Releases the buffers of all shards. */
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

    /** Buffer of one shard and one kind of change. */
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
