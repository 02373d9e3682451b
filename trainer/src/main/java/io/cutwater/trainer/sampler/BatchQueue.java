package io.cutwater.trainer.sampler;

import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.shard.ShardStore;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The mini-batches of an epoch, created by other threads while the caller computes, and returned in order: the number
 * of threads does not affect them. A mini-batch of all seeds with all neighbours is the same in each epoch except for
 * its random seed, and is created once. Used by one thread.
 */
public final class BatchQueue implements Closeable {
    private final int shard;
    private final long salt;
    private final SamplingOptions options;
    private final int[] seeds;
    private final Makers makers;
    private final ExecutorService threads;
    private final BufferPool buffers = new BufferPool();
    private final BufferPool packedBuffers = new BufferPool();
    private final Deque<Maker> idleMakers = new ArrayDeque<>();
    private final Deque<Future<MiniBatch>> ready = new ArrayDeque<>();
    private final boolean isAlwaysTheSame;
    private volatile @Nullable Packer packer;
    private @Nullable MiniBatch same;
    private int[] order = {};
    private long epochSeed;
    private int next;
    private long waitedNanos;

    /** Creates mini-batches. Used by one thread at a time. */
    public interface Maker {
        /** Creates the mini-batch of seeds[from] to seeds[to − 1], which depends on the random seed only. */
        MiniBatch make(int[] seeds, int from, int to, long randomSeed);
    }

    /** Creates one maker for each sampling thread. */
    @FunctionalInterface
    public interface Makers {
        /** @param buffers source of the buffers of dense inputs */
        Maker maker(BufferPool buffers);
    }

    /** Writes the integers of a mini-batch as a model reads them. Thread-safe. */
    @FunctionalInterface
    public interface Packer {
        /** Returns a buffer of the pool with the integers, from its position to its limit; null if there are none. */
        @Nullable ByteBuffer pack(MiniBatch batch, BufferPool buffers);
    }

    /**
     * Creates the mini-batches of one shard from its store alone.
     *
     * @param seeds local numbers of labelled vertices
     */
    public BatchQueue(ShardStore store, SamplingOptions options, int[] seeds) {
        this(store, options, seeds, false);
    }

    /**
     * Creates the mini-batches of one shard from its store alone.
     *
     * @param seeds local numbers of labelled vertices
     * @param selects whether mini-batches name the rows of their inputs, see {@link InputRows.Selected}
     */
    public BatchQueue(ShardStore store, SamplingOptions options, int[] seeds, boolean selects) {
        this(
                store.shard(),
                0,
                options,
                seeds,
                buffers -> new BatchMaker(store, options.fanouts(), new RowGatherer(buffers, selects)));
    }

    /**
     * Creates mini-batches of any maker.
     *
     * @param salt added to the seed of each mini-batch's dropout, so that trainings with the same seed draw differently
     * @param seeds numbers of the training vertices, as the maker numbers them
     */
    public BatchQueue(int shard, long salt, SamplingOptions options, int[] seeds, Makers makers) {
        this.shard = shard;
        this.salt = salt;
        this.options = options;
        this.seeds = seeds.clone();
        this.makers = makers;
        isAlwaysTheSame = options.takesAll();
        threads = Executors.newFixedThreadPool(options.threads(), task -> {
            Thread thread = new Thread(task, "sampler-" + shard);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Packs mini-batches where they are created, beginning with the next epoch. */
    public void packWith(@Nullable Packer packs) {
        packer = packs;
    }

    /**
     * Begins an epoch, or continues in the middle of one.
     *
     * @param firstBatch first mini-batch to return, from 0
     */
    public void begin(long randomSeed, int firstBatch) {
        drop();
        epochSeed = randomSeed;
        order = isAlwaysTheSame ? seeds : BatchMaker.shuffled(seeds, randomSeed);
        next = (int) Math.min(order.length, (long) firstBatch * batchSize());
        fill();
    }

    /** Returns whether all mini-batches have the same hops and inputs, as objects. */
    public boolean isAlwaysTheSame() {
        return isAlwaysTheSame;
    }

    /** Returns the number of training vertices of an epoch. */
    public int seedCount() {
        return seeds.length;
    }

    /** Returns the number of mini-batches of an epoch. */
    public int epochBatches() {
        return (int) (((long) seeds.length + batchSize() - 1) / batchSize());
    }

    private int batchSize() {
        return options.batchSize() == SamplingOptions.ALL ? Math.max(1, seeds.length) : options.batchSize();
    }

    /**
     * Returns the next mini-batch, null at the end of the epoch. Its buffers must be returned with {@link #giveBack}.
     */
    public @Nullable MiniBatch next() throws InterruptedException {
        Future<MiniBatch> first = ready.poll();
        if (first == null) {
            return null;
        }
        fill();
        long before = System.nanoTime();
        try {
            MiniBatch batch = first.get();
            if (isAlwaysTheSame) {
                same = batch;
            }
            return batch;
        } catch (ExecutionException e) {
            throw new IllegalStateException("sampling of shard %d failed: %s".formatted(shard, e.getMessage()), e);
        } finally {
            waitedNanos += System.nanoTime() - before;
        }
    }

    private void fill() {
        int size = batchSize();
        int[] vertices = order;
        while (ready.size() < options.ahead() && next < vertices.length) {
            int from = next;
            int to = Math.min(vertices.length, from + size);
            long randomSeed = Hashing.mix64(epochSeed + from + 1L);
            next = to;
            MiniBatch before = same;
            if (before != null) {
                ready.add(CompletableFuture.completedFuture(before.withDraw(randomSeed + salt)));
                continue;
            }
            ready.add(threads.submit(() -> make(vertices, from, to, randomSeed)));
        }
    }

    private MiniBatch make(int[] vertices, int from, int to, long randomSeed) {
        Maker maker;
        synchronized (idleMakers) {
            maker = idleMakers.poll();
        }
        if (maker == null) {
            maker = makers.maker(buffers);
        }
        try {
            MiniBatch batch = maker.make(vertices, from, to, randomSeed);
            Packer packs = packer;
            ByteBuffer packed = packs == null ? null : packs.pack(batch, packedBuffers);
            return packed == null ? batch : batch.with(packed);
        } finally {
            synchronized (idleMakers) {
                idleMakers.push(maker);
            }
        }
    }

    /** Takes back a mini-batch that is no longer read. */
    public void giveBack(MiniBatch batch) {
        if (isAlwaysTheSame) {
            return;
        }
        if (batch.inputs() instanceof InputRows.Dense dense) {
            buffers.giveBack(dense.values());
        }
        ByteBuffer packed = batch.packed();
        if (packed != null) {
            packedBuffers.giveBack(packed);
        }
    }

    /** Returns the total time that the caller has waited for mini-batches. */
    public long waitedNanos() {
        return waitedNanos;
    }

    /** Returns the number of direct buffers created so far. */
    int buffersMade() {
        return buffers.made();
    }

    private void drop() {
        for (Future<MiniBatch> batch : ready) {
            batch.cancel(false);
        }
        ready.clear();
    }

    @Override
    public void close() {
        drop();
        threads.shutdown();
    }
}
