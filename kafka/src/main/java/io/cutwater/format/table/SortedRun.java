package io.cutwater.format.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** One sorted run of rows in a spill file, read through a buffer that holds any row. */
final class SortedRun {
    private final FileChannel channel;
    private final ByteBuffer buffer;
    private final long end;
    private long position;
    private int at;
    private int following;

    /**
     * Opens a run before its first row.
     *
     * @param position where the run begins in the file
     * @param end where it ends
     * @param buffer room for any row
     */
    SortedRun(FileChannel channel, long position, long end, ByteBuffer buffer) {
        this.channel = channel;
        this.position = position;
        this.end = end;
        this.buffer = buffer.limit(0);
    }

    /** Advances to the next row; returns false at the end. */
    boolean next() throws IOException {
        at = following;
        if (!isWhole(at)) {
            refill();
            if (!buffer.hasRemaining()) {
                return false;
            }
        }
        following = at + VertexRows.bytes(VertexRows.replicaCount(buffer, at));
        return true;
    }

    private boolean isWhole(int row) {
        int rest = buffer.limit() - row;
        return rest >= VertexRows.headBytes() && rest >= VertexRows.bytes(VertexRows.replicaCount(buffer, row));
    }

    private void refill() throws IOException {
        buffer.position(at).compact();
        at = 0;
        buffer.limit((int) Math.min(buffer.capacity(), buffer.position() + (end - position)));
        while (buffer.hasRemaining()) {
            int read = channel.read(buffer, position);
            if (read < 0) {
                throw new IOException("the spill file of the vertices ended at byte %d".formatted(position));
            }
            position += read;
        }
        buffer.flip();
    }

    ByteBuffer rows() {
        return buffer;
    }

    int at() {
        return at;
    }

    long vertex() {
        return VertexRows.vertex(buffer, at);
    }
}
