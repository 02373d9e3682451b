package io.cutwater.trainer.channel;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The shards that work together in a request, and the frames that they have not taken yet. Shards of this process pass
 * buffers to each other; frames for other processes go through a sender. Each shard sends to all others and then waits
 * for all others, so that a sender is at most two frames ahead of a receiver. Thread-safe.
 */
public final class FrameGroup {
    private static final int MAX_WAITING = 4;

    private final int size;
    private final long linkId;
    private final FrameSender sender;
    private final List<Queue<ByteBuffer>> waiting = new ArrayList<>();
    private @Nullable String failure;

    /** Sends frames to other processes. */
    @FunctionalInterface
    public interface FrameSender {
        /** Sends a frame without waiting; returns false if the receiver is a shard of this process. */
        boolean send(int from, int to, ByteBuffer frame);
    }

    /**
     * Creates a group.
     *
     * @param size number of shards, at least 1
     * @param linkId see {@link FrameChannel#linkId}
     */
    public FrameGroup(int size, long linkId, FrameSender sender) {
        this.size = size;
        this.linkId = linkId;
        this.sender = sender;
        for (int pair = 0; pair < size * size; pair++) {
            waiting.add(new ArrayDeque<>(MAX_WAITING));
        }
    }

    /** Creates a group whose shards are all in this process. */
    public static FrameGroup ofThisProcess(int size) {
        return new FrameGroup(size, 0, (from, to, frame) -> false);
    }

    /** Returns the channel of one shard; each shard needs a thread of its own. */
    public FrameChannel channel(int rank) {
        return new FrameChannel(this, rank);
    }

    int size() {
        return size;
    }

    long linkId() {
        return linkId;
    }

    void send(int from, int to, ByteBuffer frame) {
        if (!sender.send(from, to, frame)) {
            deliver(from, to, frame);
        }
    }

    /**
     * Delivers a frame to a shard of this process.
     *
     * @throws IllegalStateException if the sender is further ahead than the protocol allows
     */
    public synchronized void deliver(int from, int to, ByteBuffer frame) {
        Queue<ByteBuffer> queue = waiting.get(from * size + to);
        if (queue.size() == MAX_WAITING) {
            throw new IllegalStateException("shard %d sent more than %d frames that shard %d has not asked for"
                    .formatted(from, MAX_WAITING, to));
        }
        queue.add(frame);
        notifyAll();
    }

    /** Makes all shards of this process fail with a sentence for users; the first one counts. */
    public synchronized void fail(String sentence) {
        if (failure == null) {
            failure = sentence;
            notifyAll();
        }
    }

    synchronized ByteBuffer receive(int from, int to) throws InterruptedException {
        Queue<ByteBuffer> queue = waiting.get(from * size + to);
        while (true) {
            if (failure != null) {
                throw new IllegalStateException(failure);
            }
            ByteBuffer frame = queue.poll();
            if (frame != null) {
                return frame;
            }
            wait();
        }
    }
}
