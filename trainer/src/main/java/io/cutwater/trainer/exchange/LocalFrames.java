package io.cutwater.trainer.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Channels between threads of one process: a queue for each ordered pair of workers. */
public final class LocalFrames implements AutoCloseable {
    private static final ByteBuffer END = ByteBuffer.allocate(0);

    private final List<List<LinkedBlockingQueue<ByteBuffer>>> queues = new ArrayList<>(); // by receiver, then sender
    private final Duration wait;
    private volatile boolean isClosed;

    /**
     * Creates the channels.
     *
     * @param workers at least 1
     * @param wait longest wait for a frame
     */
    public LocalFrames(int workers, Duration wait) {
        this.wait = wait;
        for (int receiver = 0; receiver < workers; receiver++) {
            List<LinkedBlockingQueue<ByteBuffer>> bySender = new ArrayList<>();
            for (int sender = 0; sender < workers; sender++) {
                bySender.add(new LinkedBlockingQueue<>());
            }
            queues.add(bySender);
        }
    }

    /** Returns the channel of a worker. */
    public FrameChannel channel(int rank) {
        return new Channel(rank);
    }

    /** Fails all waiting and later receivers. */
    @Override
    public void close() {
        isClosed = true;
        queues.forEach(bySender -> bySender.forEach(queue -> queue.add(END)));
    }

    private final class Channel implements FrameChannel {
        private final int rank;

        Channel(int rank) {
            this.rank = rank;
        }

        @Override
        public int rank() {
            return rank;
        }

        @Override
        public int size() {
            return queues.size();
        }

        @Override
        public void send(int receiver, ByteBuffer frame) {
            queues.get(receiver).get(rank).add(frame);
        }

        @Override
        public ByteBuffer receive(int sender) throws IOException, InterruptedException {
            ByteBuffer frame = queues.get(rank).get(sender).poll(wait.toMillis(), TimeUnit.MILLISECONDS);
            if (isClosed) {
                throw new ClosedFramesException();
            }
            if (frame == null) {
                throw new IOException(
                        "worker %d has sent nothing to worker %d for %d s; raise --round-wait, or check why it is slow"
                                .formatted(sender, rank, wait.toSeconds()));
            }
            return frame;
        }
    }

    /** A wait for a frame ended because another worker failed. */
    public static final class ClosedFramesException extends IOException {
        private static final long serialVersionUID = 1;

        ClosedFramesException() {
            super("another worker has failed");
        }
    }
}
