package io.cutwater.trainer.fullgraph;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.averaging.Workforce;
import io.cutwater.trainer.exchange.LocalFrames;
import io.cutwater.trainer.exchange.Traffic;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.ShardThread;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Trains one model on the whole graph, with a thread of this process for each shard. A round is lost if a worker fails:
 * the others cannot go on without its rows.
 */
public final class FullGraphWorkforce implements Workforce {
    private static final long LONGEST_END_SECONDS = 10;

    private final Stores stores;
    private final FullGraphLayers layers;
    private final TrainerOptions options;
    private final float[] weightDecays;
    private final FullGraphOptions how;
    private final Duration wait;
    private final List<FullGraphWorker> workers = new ArrayList<>();
    private @Nullable ExecutorService threads;
    private @Nullable LocalFrames frames;

    /** Builds the shards of a cut. */
    public interface Stores {
        /** Announces the cut, whose shards are all going to be built. */
        default void expect(ShardCut cut) {}

        /** Returns what the shards of all cuts divide. */
        PartitioningKind kind() throws IOException, InterruptedException;

        /** Receives a store, which is valid until the call returns. */
        @FunctionalInterface
        interface StoreConsumer {
            void accept(ShardStore store) throws IOException, InterruptedException;
        }

        /**
         * Builds a shard; called by several threads for different shards.
         *
         * @throws IOException if the shard cannot be built; the message is meant for users
         */
        void open(int shard, ShardCut cut, StoreConsumer consumer) throws IOException, InterruptedException;
    }

    /**
     * Creates a workforce without workers, see {@link #prepare}.
     *
     * @param features features of a vertex
     * @param wait longest wait of a worker for another one
     * @throws IllegalArgumentException if the model cannot be trained in this way; the message is meant for users
     */
    public FullGraphWorkforce(
            Stores stores,
            int features,
            GnnNetwork network,
            TrainerOptions options,
            FullGraphOptions how,
            Duration wait) {
        this.stores = stores;
        layers = FullGraphLayers.of(options.model(), network, features);
        this.options = options;
        weightDecays = network.weightDecays(options.weightDecays());
        this.how = how;
        this.wait = wait;
    }

    @Override
    public void prepare(ShardCut cut) throws IOException, InterruptedException {
        close();
        stores.expect(cut);
        PartitioningKind kind = stores.kind();
        LocalFrames made = new LocalFrames(cut.shards(), wait);
        frames = made;
        AtomicInteger number = new AtomicInteger();
        threads = Executors.newFixedThreadPool(cut.shards(), task -> {
            Thread thread = new Thread(task, "full-graph-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
        long id = Hashing.mix64(cut.hashCode(), options.words().hashCode());
        workers.addAll(all(cut.shards(), shard -> {
            AtomicReference<FullGraphWorker> worker = new AtomicReference<>();
            stores.open(
                    shard,
                    cut,
                    store -> worker.set(new FullGraphWorker(
                            made.channel(shard), store, kind, layers, options, weightDecays, how, id)));
            return Objects.requireNonNull(worker.get());
        }));
        takeTraffic();
    }

    private interface Task<T> {
        T run(int shard) throws Exception;
    }

    /** Runs a task for each shard at the same time. The failure of one ends all. */
    private <T> List<T> all(int shards, Task<T> task) throws IOException, InterruptedException {
        ExecutorService pool = Objects.requireNonNull(threads);
        CompletionService<T> running = new ExecutorCompletionService<>(pool);
        List<Future<T>> futures = new ArrayList<>();
        for (int each = 0; each < shards; each++) {
            int shard = each;
            futures.add(running.submit(() -> task.run(shard)));
        }
        try {
            for (int done = 0; done < shards; done++) {
                running.take().get();
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw failure(futures, e);
        } finally {
            futures.forEach(future -> future.cancel(true));
        }
    }

    /** Ends the other workers; returns the failure, which names the shard. */
    private <T> IOException failure(List<Future<T>> futures, ExecutionException first) {
        Objects.requireNonNull(frames).close();
        Throwable cause = Objects.requireNonNull(first.getCause());
        int shard = 0;
        while (shard < futures.size() - 1 && !isFailedBy(futures.get(shard), cause)) {
            shard++;
        }
        return new IOException(
                "full-graph training ended because shard %d failed: %s".formatted(shard, ShardThread.sentence(cause)),
                cause);
    }

    private static boolean isFailedBy(Future<?> future, Throwable cause) {
        if (!future.isDone() || future.isCancelled()) {
            return false;
        }
        try {
            future.get();
            return false;
        } catch (ExecutionException e) {
            return cause.equals(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public List<@Nullable LocalUpdate> train(Round round, ModelState from, Duration limit, Gap gap)
            throws InterruptedException {
        if (!round.isOfWholeEpochs()) {
            throw new IllegalStateException("full-graph training has one step per epoch");
        }
        List<FullGraphWorker.Trained> trained =
                orEnd(shard -> workers.get(shard).train(round, from));
        long examples = workers.get(0).allTrainingVertices();
        EpochReport report = EpochReport.nothing();
        ModelState state = trained.get(0).state();
        for (FullGraphWorker.Trained each : trained) {
            report = report.plus(each.report());
            if (!Arrays.deepEquals(state.weights(), each.state().weights())) {
                throw new IllegalStateException(
                        "the models of two shards differ after round %d; this is an error of the program"
                                .formatted(round.number()));
            }
        }
        List<@Nullable LocalUpdate> updates = new ArrayList<>();
        for (FullGraphWorker worker : workers) {
            // All have the same model, so that of the first has the whole weight.
            boolean isFirst = updates.isEmpty();
            updates.add(new LocalUpdate(
                    state,
                    isFirst ? examples : 0,
                    examples == 0 ? 0 : 1,
                    isFirst ? report : EpochReport.nothing(),
                    worker.size()));
        }
        return updates;
    }

    @Override
    public List<@Nullable AccuracyCounts> test(Round round, float[][] weights, Duration limit, Gap gap)
            throws InterruptedException {
        return new ArrayList<>(orEnd(shard -> workers.get(shard).test(round.firstEpoch(), weights)));
    }

    private <T> List<T> orEnd(Task<T> task) throws InterruptedException {
        try {
            return all(workers.size(), task);
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** Returns 0, because no models are sent. */
    @Override
    public long takeBytes() {
        return 0;
    }

    @Override
    public Traffic takeTraffic() {
        Traffic taken = Traffic.NONE;
        for (FullGraphWorker worker : workers) {
            taken = taken.plus(worker.takeTraffic());
        }
        return taken;
    }

    @Override
    public void close() {
        workers.clear();
        LocalFrames open = frames;
        if (open != null) {
            open.close();
            frames = null;
        }
        ExecutorService pool = threads;
        if (pool != null) {
            pool.shutdownNow();
            threads = null;
            try {
                pool.awaitTermination(LONGEST_END_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
