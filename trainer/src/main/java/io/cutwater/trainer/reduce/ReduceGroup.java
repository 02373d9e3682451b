package io.cutwater.trainer.reduce;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The ranks that average their gradients in a round, and the parts that they have not taken yet. Ranks of this process
 * pass arrays to each other; parts for other processes go through a sender. Thread-safe.
 */
public final class ReduceGroup {
    /** A rank is at most one step ahead of another, and a step has two halves. */
    private static final int MAX_WAITING = 4;

    private final int ranks;
    private final PartSender sender;
    private final List<Queue<Part>> waiting = new ArrayList<>();
    private @Nullable String failure;

    /** Sends parts to other processes. */
    @FunctionalInterface
    public interface PartSender {
        /** Sends a part without waiting; returns false if the receiver is a rank of this process. */
        boolean send(int from, int to, Part part);
    }

    /** @param ranks number of ranks, at least 1 */
    public ReduceGroup(int ranks, PartSender sender) {
        this.ranks = ranks;
        this.sender = sender;
        for (int pair = 0; pair < ranks * ranks; pair++) {
            waiting.add(new ArrayDeque<>(MAX_WAITING));
        }
    }

    /** Creates a group whose ranks are all in this process. */
    public static ReduceGroup ofThisProcess(int ranks) {
        return new ReduceGroup(ranks, (from, to, part) -> false);
    }

    /** Returns the all-reduce of one rank; each rank needs a thread of its own. */
    public AllReduce rank(int rank) {
        return new AllReduce(this, rank);
    }

    int ranks() {
        return ranks;
    }

    void send(int from, int to, Part part) {
        if (!sender.send(from, to, part)) {
            deliver(from, to, part);
        }
    }

    /**
     * Delivers a part to a rank of this process.
     *
     * @throws IllegalStateException if the sender is further ahead than the protocol allows
     */
    public synchronized void deliver(int from, int to, Part part) {
        Queue<Part> queue = waiting.get(from * ranks + to);
        if (queue.size() == MAX_WAITING) {
            throw new IllegalStateException("shard %d sent more than %d parts that shard %d has not asked for"
                    .formatted(from, MAX_WAITING, to));
        }
        queue.add(part);
        notifyAll();
    }

    /** Makes all ranks of this process fail with a sentence for users; the first one counts. */
    public synchronized void fail(String sentence) {
        if (failure == null) {
            failure = sentence;
            notifyAll();
        }
    }

    /**
     * Waits for the next part of a rank.
     *
     * @throws IllegalStateException if the group failed; the message is meant for users
     */
    synchronized Part receive(int from, int to) throws InterruptedException {
        Queue<Part> queue = waiting.get(from * ranks + to);
        while (true) {
            if (failure != null) {
                throw new IllegalStateException(failure);
            }
            Part part = queue.poll();
            if (part != null) {
                return part;
            }
            wait();
        }
    }
}
