package io.cutwater.trainer.linked;

import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.channel.FrameChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Steps in which every shard sends one frame to every other one. Little-endian: hash of cut and step (8 bytes), data.
 */
final class LinkExchange {
    static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final FrameChannel channel;
    private final long id;
    private int step;

    /** @param id hash of the training and its cut, equal at all shards */
    LinkExchange(FrameChannel channel, long id) {
        this.channel = channel;
        this.id = id;
    }

    /** Returns the data for a shard. */
    @FunctionalInterface
    interface Writer {
        ByteBuffer write(int to) throws IOException;
    }

    FrameChannel channel() {
        return channel;
    }

    /** Returns a buffer for data of the given size. */
    static ByteBuffer buffer(long bytes) throws IOException {
        if (bytes > Integer.MAX_VALUE - 64) {
            throw new IOException(
                    "two shards would have to exchange %,d bytes at once; use more partitions".formatted(bytes));
        }
        return ByteBuffer.allocate((int) bytes).order(ORDER);
    }

    /** Sends data to all shards, and returns that of all, this one's included. */
    ByteBuffer[] all(Writer writer) throws IOException, InterruptedException {
        long check = Hashing.mix64(id, step++);
        ByteBuffer[] all = new ByteBuffer[channel.size()];
        for (int to = 0; to < all.length; to++) {
            ByteBuffer data = writer.write(to);
            if (to == channel.rank()) {
                all[to] = data;
            } else {
                channel.send(
                        to,
                        buffer((long) Long.BYTES + data.remaining())
                                .putLong(check)
                                .put(data)
                                .flip());
            }
        }
        for (int from = 0; from < all.length; from++) {
            if (from != channel.rank()) {
                ByteBuffer frame = channel.receive(from).order(ORDER);
                if (frame.remaining() < Long.BYTES || frame.getLong() != check) {
                    throw new IOException(
                            "shard %d is linked for another cut or training; give all workers the same shards and options"
                                    .formatted(from));
                }
                all[from] = frame;
            }
        }
        return all;
    }
}
