package io.cutwater.trainer.remote;

import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.sampler.BufferPool;
import io.cutwater.trainer.sampler.MiniBatch;
import io.cutwater.trainer.sync.WorkCounters;
import io.cutwater.trainer.training.ShardThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The shards of a worker whose mini-batches one sampler makes. Their mini-batches of a step are one group (Armada,
 * mini-batch grouping): they are asked for and sent together, with each row once. Rows that the worker still has from
 * earlier groups are not sent. Thread-safe; a thread waits until all shards of a group have asked for theirs.
 */
final class BatchTeam {
    private static final int UNKNOWN = -1;

    private final List<Integer> shards;
    private final long linkId;
    private final Map<Integer, Integer> trained = new HashMap<>();
    private final Map<Long, Group> groups = new HashMap<>();
    private final Turns turns = new Turns();
    private final long cacheBytes;
    private final int layers;
    private int capacity = UNKNOWN;
    private @Nullable WorkerRows rows;
    private int round;
    private int position; // first seed of the next group to ask for
    private long asked;
    private @Nullable String failure;

    /** What a shard contributes to a group, and gets from it. */
    static final class Part {
        private final int shard;
        private final int[] seeds;
        private final BufferPool buffers;
        private final WorkCounters counters;
        private volatile @Nullable MiniBatch batch;

        /**
         * Creates a part without a mini-batch.
         *
         * @param buffers source of the buffers of dense inputs
         * @param counters counts what was read and sent for the mini-batch
         */
        Part(int shard, int[] seeds, BufferPool buffers, WorkCounters counters) {
            this.shard = shard;
            this.seeds = seeds;
            this.buffers = buffers;
            this.counters = counters;
        }

        int shard() {
            return shard;
        }

        int[] seeds() {
            return seeds;
        }

        BufferPool buffers() {
            return buffers;
        }

        /** Returns the mini-batch; null before it is there. */
        @Nullable MiniBatch batch() {
            return batch;
        }

        void take(MiniBatch made, Traffic traffic, Locality locality) {
            counters.add(traffic, locality);
            batch = made;
        }
    }

    private static final class Group {
        private final Map<Integer, Part> parts = new TreeMap<>();
    }

    /**
     * Creates a team.
     *
     * @param shards shards of the worker and the sampler, ascending
     * @param cacheBytes size of the rows to keep for each shard
     * @param layers number of hops of a mini-batch
     */
    BatchTeam(List<Integer> shards, long linkId, long cacheBytes, int layers) {
        this.shards = List.copyOf(shards);
        this.linkId = linkId;
        this.cacheBytes = cacheBytes;
        this.layers = layers;
    }

    long linkId() {
        return linkId;
    }

    /** Tells the number of training vertices of a shard; no group is asked for before all are known. */
    synchronized void joins(RemoteShard shard) {
        trained.put(shard.shard(), shard.trained());
        if (shard.shard() == shards.get(0)) {
            capacity = (int) Math.min(1 << 29, cacheBytes / shard.bytesPerRow() * shards.size());
            rows = new WorkerRows(capacity);
        }
        notifyAll();
    }

    /**
     * Begins a round; the first shard that does counts.
     *
     * @param number number of the round
     * @param from position of the first seed of its first mini-batch
     */
    synchronized void begin(int number, int from) {
        if (round != number) {
            round = number;
            position = from;
        }
    }

    /** Makes all threads fail that wait here, and all later ones. */
    void fail(String reason) {
        synchronized (this) {
            if (failure == null) {
                failure = reason;
                notifyAll();
            }
        }
        turns.fail(reason);
    }

    /**
     * Returns the mini-batch of a shard, together with the other shards of its group.
     *
     * @param from position of the first seed, the same for all shards of a step
     * @param size position of the next mini-batch's first seed, less {@code from}
     * @param randomSeed seed of the mini-batches of the step
     * @throws IllegalStateException if it cannot be made; the message is meant for users
     */
    MiniBatch batch(FrameChannel channel, Part part, int from, int size, long randomSeed) throws InterruptedException {
        Group group = join(part, from, randomSeed);
        if (group != null) {
            try {
                fetch(channel, group, from, size, randomSeed);
            } catch (InterruptedException e) {
                fail("it was stopped");
                throw e;
            } catch (IOException | RuntimeException | Error e) { // the others wait for this thread
                fail(ShardThread.sentence(e));
            }
        }
        return await(part, randomSeed);
    }

    /** Adds a part to its group, and returns the group to the thread that completes it, otherwise null. */
    private synchronized @Nullable Group join(Part part, int from, long randomSeed) throws InterruptedException {
        while (failure == null && trained.size() < shards.size()) {
            wait();
        }
        requireNoFailure();
        Group group = groups.computeIfAbsent(randomSeed, unknown -> new Group());
        group.parts.put(part.shard, part);
        long expected = trained.values().stream().filter(count -> count > from).count();
        return group.parts.size() == expected ? group : null;
    }

    /** Asks for a group after the one before, whose answer may still be on its way, and takes the answer. */
    private void fetch(FrameChannel channel, Group group, int from, int size, long randomSeed)
            throws IOException, InterruptedException {
        ByteBuffer question;
        FrameChannel.Answer answer;
        long number;
        synchronized (this) {
            while (failure == null && from != position) {
                wait();
            }
            requireNoFailure();
            number = asked++;
            question = GroupFormat.question(number, capacity, randomSeed, group.parts.values());
            answer = channel.askSampler(shards.get(0), question);
            position = from + size;
            notifyAll();
        }
        ByteBuffer got = answer.get();
        long bytes = (long) question.remaining() + got.remaining();
        WorkerRows known = Objects.requireNonNull(rows);
        turns.take(
                number,
                () -> BatchFormat.read(got, in -> {
                    GroupFormat.read(in, group.parts.values(), known, layers, bytes);
                    return group;
                }));
        synchronized (this) {
            notifyAll(); // all parts have their mini-batches
        }
    }

    private synchronized MiniBatch await(Part part, long randomSeed) throws InterruptedException {
        while (failure == null && part.batch == null) {
            wait();
        }
        requireNoFailure();
        groups.remove(randomSeed);
        return Objects.requireNonNull(part.batch);
    }

    private void requireNoFailure() {
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }
}
