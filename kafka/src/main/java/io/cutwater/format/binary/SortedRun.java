package io.cutwater.format.binary;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** One sorted run of an {@link ExternalSort}, read through a buffer that holds any row. */
final class SortedRun {
    private final FileChannel channel;
    private final ByteBuffer buffer;
    private final boolean isOfPairs;
    private final ExternalSort.RowLength length;
    private final int leastBytes;
    private final long end;
    private long position;
    private int at;
    private int following;
    private long first;
    private long second;

    /**
     * Opens a run before its first row.
     *
     * @param range the beginning and the end of the run in the file, in bytes
     * @param buffer room for any row
     * @param keys 1 or 2 longs at the beginning of each row
     */
    SortedRun(
            FileChannel channel,
            long[] range,
            ByteBuffer buffer,
            int keys,
            ExternalSort.RowLength length,
            int leastBytes) {
        this.channel = channel;
        position = range[0];
        end = range[1];
        this.buffer = buffer.limit(0);
        isOfPairs = keys == 2;
        this.length = length;
        this.leastBytes = leastBytes;
    }

    /** Advances to the next row; returns false at the end. */
    boolean next() throws IOException {
        at = following;
        if (!isWhole()) {
            refill();
            if (!buffer.hasRemaining()) {
                return false;
            }
        }
        following = at + length.of(buffer, at);
        first = buffer.getLong(at);
        second = isOfPairs ? buffer.getLong(at + Long.BYTES) : 0;
        return true;
    }

    private boolean isWhole() {
        int rest = buffer.limit() - at;
        return rest >= leastBytes && rest >= length.of(buffer, at);
    }

    private void refill() throws IOException {
        buffer.position(at).compact();
        at = 0;
        buffer.limit((int) Math.min(buffer.capacity(), buffer.position() + (end - position)));
        while (buffer.hasRemaining()) {
            int read = channel.read(buffer, position);
            if (read < 0) {
                throw new IOException(
                        "a spill file of the output folder was cut to %d bytes while it was in use; run the command again"
                                .formatted(position));
            }
            position += read;
        }
        buffer.flip();
    }

    boolean isBefore(SortedRun other) {
        return first < other.first || first == other.first && second < other.second;
    }

    long first() {
        return first;
    }

    long second() {
        return second;
    }

    ByteBuffer rows() {
        return buffer;
    }

    int at() {
        return at;
    }
}
