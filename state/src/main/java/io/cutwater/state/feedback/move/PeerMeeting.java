package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.graph.Hashing;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings tasks together that exchange messages over a topic and each read it only from when they begin. A task repeats
 * its hello until every other one has answered, so it knows that each reads what it sends. The tasks then have the same
 * number for what they do together, which no other attempt has. A task that begins anew while the others are at work
 * ends the work of those.
 *
 * <p>A hello is a message of round 0: the run of the sender, the run of the receiver as far as the sender knows it, the
 * number of tasks, and whether the sender waits for an answer.
 */
public final class PeerMeeting implements Closeable {
    private static final long HELLO = 0;
    private static final int HELLO_WORDS = 4;
    private static final long UNKNOWN = 0;
    private static final long REPEAT_MILLIS = 100;

    private final long job;
    private final int self;
    private final int[] firstBuckets;
    private final long run;
    private final Consumer<VertexUpdate> send;
    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final long[] runs;
    private final boolean[] hasAnswered;
    private final List<VertexUpdate> early = new ArrayList<>(); // of the first round
    private @Nullable PeerExchange exchange;
    private @Nullable IOException failure;

    /**
     * @param job number of the job, the same for all its tasks and attempts
     * @param self number of this task
     * @param firstBuckets a bucket for each task, by which messages find it
     * @param run random number of this attempt of the task
     * @param send sends to the task of the bucket; called by the thread that meets and by the one that receives
     */
    public PeerMeeting(long job, int self, int[] firstBuckets, long run, Consumer<VertexUpdate> send) {
        this.job = job;
        this.self = self;
        this.firstBuckets = firstBuckets.clone();
        this.run = run == UNKNOWN ? 1 : run;
        this.send = send;
        runs = new long[firstBuckets.length];
        runs[self] = this.run;
        hasAnswered = new boolean[firstBuckets.length];
        hasAnswered[self] = true;
    }

    /**
     * Waits until all tasks know of each other.
     *
     * @return the exchange with the others
     * @throws IOException if it was closed, or the thread was interrupted
     */
    public PeerExchange meet() throws IOException, InterruptedException {
        while (true) {
            List<VertexUpdate> hellos = new ArrayList<>();
            lock.lockInterruptibly();
            try {
                throwFailure();
                if (isComplete()) {
                    return begin();
                }
                for (int other = 0; other < runs.length; other++) {
                    if (!hasAnswered[other] || runs[other] == UNKNOWN) {
                        hellos.add(hello(other));
                    }
                }
            } finally {
                lock.unlock();
            }
            hellos.forEach(send);
            lock.lockInterruptibly();
            try {
                long left = TimeUnit.MILLISECONDS.toNanos(REPEAT_MILLIS);
                while (left > 0 && !isComplete() && failure == null) {
                    left = changed.awaitNanos(left);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private boolean isComplete() {
        for (int other = 0; other < runs.length; other++) {
            if (!hasAnswered[other] || runs[other] == UNKNOWN) {
                return false;
            }
        }
        return true;
    }

    private PeerExchange begin() {
        long number = job;
        for (long each : runs) {
            number = Hashing.mix64(number, each);
        }
        PeerExchange begun = new PeerExchange(number, self, firstBuckets, send);
        early.forEach(begun::receive);
        early.clear();
        exchange = begun;
        return begun;
    }

    private VertexUpdate hello(int other) {
        long[] words = {run, runs[other], runs.length, hasAnswered[other] ? 0 : 1};
        return VertexUpdate.peer(job, self, HELLO, 0, 1, firstBuckets[other], words);
    }

    private void throwFailure() throws IOException {
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
    }

    /** Takes any record of the topic, and leaves what is for others or of another job alone. */
    public void receive(VertexUpdate update) {
        long[] words = update.hints();
        int sender = update.assigner();
        if (!update.isPeer()
                || words == null
                || update.bucket() != firstBuckets[self]
                || sender < 0
                || sender >= runs.length
                || sender == self) {
            return;
        }
        VertexUpdate answer = null;
        lock.lock();
        try {
            if (failure != null) {
                return; // who answered now would be taken for one that is there
            }
            if (update.run() == job && update.lineage() == HELLO) {
                answer = heard(sender, words);
                changed.signalAll();
            } else if (exchange != null) {
                exchange.receive(update);
            } else if (update.lineage() == HELLO + 1) {
                early.add(update); // nobody sends the second round before it has our first
            }
        } finally {
            lock.unlock();
        }
        if (answer != null) {
            send.accept(answer);
        }
    }

    /** Returns the answer, if one is wanted. */
    private @Nullable VertexUpdate heard(int sender, long[] words) {
        if (words.length != HELLO_WORDS || words[2] != runs.length) {
            return null;
        }
        if (runs[sender] != words[0]) {
            if (exchange != null) {
                failLocked(new IOException("task %d of the bootstrap has begun anew".formatted(sender)));
                return null;
            }
            runs[sender] = words[0];
            hasAnswered[sender] = false;
        }
        hasAnswered[sender] |= words[1] == run;
        return words[3] == 0 ? null : hello(sender);
    }

    /** Ends the meeting, and the exchange after it, with an exception. */
    public void fail(IOException cause) {
        lock.lock();
        try {
            failLocked(cause);
        } finally {
            lock.unlock();
        }
    }

    private void failLocked(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
        early.clear();
        if (exchange != null) {
            exchange.close();
        }
        changed.signalAll();
    }

    /** Returns what has ended it; null if nothing has. */
    public @Nullable IOException failure() {
        lock.lock();
        try {
            return failure;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        fail(new IOException("the bootstrap was given up"));
    }
}
