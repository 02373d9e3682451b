package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.parts.Exchange;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Exchanges between the tables of a job while they plan. A message goes in parts, which may come in any order and more
 * than once. Nobody is more than a round ahead of another, because it needs the messages of all.
 */
public final class PeerExchange implements Exchange {
    /** Words of a part: 256 KiB. */
    private static final int MOST_WORDS = 1 << 15;

    /** Parts of the largest message that an array can be. */
    private static final int MOST_PARTS = 1 << 16;

    /** Far longer than a table works between two messages; if one has failed, the job restarts before. */
    private static final long PATIENCE_MINUTES = 60;

    private final long plan;
    private final int self;
    private final long patienceNanos;
    private final int[] firstBuckets;
    private final Consumer<VertexUpdate> send;
    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Long, Round> rounds = new HashMap<>();
    private long round;
    private boolean isClosed;

    /** The messages of a round that have come. */
    private static final class Round {
        private final long[][][] parts; // by sender and number
        private final BitSet complete = new BitSet();

        Round(int tables) {
            parts = new long[tables][][];
        }

        void add(VertexUpdate update, long[] words) {
            int sender = update.assigner();
            if (parts[sender] == null) {
                parts[sender] = new long[update.parts()][];
            }
            if (update.part() < parts[sender].length) {
                parts[sender][update.part()] = words;
            }
            if (Arrays.stream(parts[sender]).allMatch(part -> part != null)) {
                complete.set(sender);
            }
        }

        long[] message(int sender) {
            long[][] words = parts[sender];
            if (words.length == 1) {
                return words[0];
            }
            return Arrays.stream(words).flatMapToLong(Arrays::stream).toArray();
        }
    }

    /**
     * @param plan number of the plan
     * @param self number of this table
     * @param firstBuckets first bucket of each table, ascending
     * @param send sends to the table of the bucket; called in the thread that exchanges
     */
    public PeerExchange(long plan, int self, int[] firstBuckets, Consumer<VertexUpdate> send) {
        this(plan, self, firstBuckets, send, TimeUnit.MINUTES.toNanos(PATIENCE_MINUTES));
    }

    /** @param patienceNanos how long it waits for the messages of a round */
    PeerExchange(long plan, int self, int[] firstBuckets, Consumer<VertexUpdate> send, long patienceNanos) {
        this.patienceNanos = patienceNanos;
        this.plan = plan;
        this.self = self;
        this.firstBuckets = firstBuckets.clone();
        this.send = send;
    }

    @Override
    public int parts() {
        return firstBuckets.length;
    }

    @Override
    public int part() {
        return self;
    }

    @Override
    public long[][] exchange(long[][] messages) throws IOException {
        long now = round + 1; // only this thread changes it
        for (int to = 0; to < messages.length; to++) {
            if (to != self) {
                sendParts(now, to, messages[to]);
            }
        }
        return await(now, messages[self]);
    }

    private void sendParts(long now, int to, long[] words) {
        int parts = Math.max(1, (words.length + MOST_WORDS - 1) / MOST_WORDS);
        for (int part = 0; part < parts; part++) {
            int from = part * MOST_WORDS;
            long[] some =
                    parts == 1 ? words : Arrays.copyOfRange(words, from, Math.min(words.length, from + MOST_WORDS));
            send.accept(VertexUpdate.peer(plan, self, now, part, parts, firstBuckets[to], some));
        }
    }

    private long[][] await(long now, long[] own) throws IOException {
        lock.lock();
        try {
            return awaitLocked(now, own);
        } finally {
            lock.unlock();
        }
    }

    private long[][] awaitLocked(long now, long[] own) throws IOException {
        Round current = rounds.computeIfAbsent(now, number -> new Round(parts()));
        current.complete.set(self);
        try {
            long left = patienceNanos;
            while (current.complete.cardinality() < parts() && !isClosed) {
                if (left <= 0) {
                    throw new IOException(
                            "vertex table %d has not sent its message of round %d to vertex table %d in %d s; plan again"
                                    .formatted(
                                            current.complete.nextClearBit(0),
                                            now,
                                            self,
                                            TimeUnit.NANOSECONDS.toSeconds(patienceNanos)));
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("interrupted").initCause(e);
        }
        if (isClosed) {
            throw new IOException("the plan was given up");
        }
        round = now;
        rounds.remove(now);
        long[][] received = new long[parts()][];
        for (int from = 0; from < received.length; from++) {
            received[from] = from == self ? own : current.message(from);
        }
        return received;
    }

    /** Takes a part of a message, unless it is of another plan, for another table, or came before. */
    public void receive(VertexUpdate update) {
        lock.lock();
        try {
            receiveLocked(update);
        } finally {
            lock.unlock();
        }
    }

    private void receiveLocked(VertexUpdate update) {
        long[] words = update.hints();
        boolean isKnown = update.run() == plan
                && update.bucket() == firstBuckets[self]
                && update.assigner() >= 0
                && update.assigner() < parts()
                && update.part() >= 0
                && update.part() < update.parts()
                && update.parts() <= MOST_PARTS;
        if (words == null || !isKnown || update.lineage() <= round || update.lineage() > round + 2 || isClosed) {
            return;
        }
        rounds.computeIfAbsent(update.lineage(), number -> new Round(parts())).add(update, words);
        changed.signalAll();
    }

    /** Ends all exchanges with an exception. */
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            rounds.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
