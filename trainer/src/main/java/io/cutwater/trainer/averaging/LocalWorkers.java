package io.cutwater.trainer.averaging;

import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.training.ShardThread;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.ShardTrainers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Workers that are threads of this process. Each thread serves its own shards one after the other. A shard whose worker
 * fails or is late has no answer in this round and is asked again in the next.
 */
public final class LocalWorkers implements Workforce {
    private final List<ShardThread> workers = new ArrayList<>();
    private final ShardTrainers trainers;
    private final boolean sharesSteps;
    private long bytes;

    /**
     * Creates workers.
     *
     * @param workers number of threads
     * @param sharesSteps whether all shards take each step together; each then needs a thread of its own, also if the
     *     trainers need all shards
     */
    public LocalWorkers(ShardTrainers trainers, int workers, boolean sharesSteps) {
        this.trainers = trainers;
        this.sharesSteps = sharesSteps || trainers.needAllShards();
        addUpTo(workers);
    }

    private void addUpTo(int count) {
        while (workers.size() < count) {
            workers.add(new ShardThread("trainer-" + workers.size(), trainers));
        }
    }

    /** A task for one shard. */
    private interface Task<T> {
        T run(int shard, ShardTrainer trainer) throws Exception;
    }

    /** A task for one shard of a group. */
    private interface SharedTask<T> {
        T run(int shard, ShardTrainer trainer, FrameChannel others) throws Exception;
    }

    @Override
    public int workers() {
        return workers.size();
    }

    @Override
    public boolean needsAllShards() {
        return trainers.needAllShards();
    }

    @Override
    public void prepare(ShardCut cut) throws IOException, InterruptedException {
        List<Future<?>> left = new ArrayList<>();
        for (ShardThread worker : workers) {
            left.add(worker.submit(shards -> {
                shards.moveTo(cut);
                return null;
            }));
        }
        if (sharesSteps) {
            addUpTo(cut.shards());
        }
        awaitAll(left); // release all old shards before building new ones
        trainers.expect(cut, IntStream.range(0, cut.shards()).boxed().toList());
        awaitAll(submit(cut, (shard, trainer) -> shard));
    }

    private static void awaitAll(List<? extends Future<?>> futures) throws IOException, InterruptedException {
        try {
            for (Future<?> future : futures) {
                future.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IllegalStateException(sentence(e), e);
        } finally {
            futures.forEach(future -> future.cancel(true));
        }
    }

    @Override
    public List<@Nullable LocalUpdate> train(Round round, ModelState from, Duration wait, Gap gap)
            throws InterruptedException {
        if (round.sharesSteps()) {
            return forAllTogether(
                    round.cut(), (shard, trainer, others) -> trainer.train(round, from, others), wait, gap);
        }
        List<@Nullable LocalUpdate> updates =
                forAll(round.cut(), (shard, trainer) -> trainer.train(round, from), wait, gap);
        for (LocalUpdate update : updates) {
            if (update != null && update.examples() > 0 && updates.size() > 1) { // a single shard sends nothing
                bytes += 2 * update.state().bytes();
            }
        }
        return updates;
    }

    @Override
    public List<@Nullable AccuracyCounts> test(Round round, ModelState state, Duration wait, Gap gap)
            throws InterruptedException {
        return round.sharesSteps()
                ? forAllTogether(
                        round.cut(), (shard, trainer, others) -> trainer.evaluate(round, state, others), wait, gap)
                : forAll(round.cut(), (shard, trainer) -> trainer.evaluate(state.weights()), wait, gap);
    }

    private <T> List<@Nullable T> forAllTogether(ShardCut cut, SharedTask<T> task, Duration wait, Gap gap)
            throws InterruptedException {
        FrameGroup group = FrameGroup.ofThisProcess(cut.shards());
        return forAll(
                cut,
                (shard, trainer) -> {
                    try {
                        return task.run(shard, trainer, group.channel(shard));
                    } catch (Exception | Error e) { // the others wait for this shard
                        group.fail("shard %d failed: %s".formatted(shard, ShardThread.sentence(e)));
                        throw e;
                    }
                },
                wait,
                gap);
    }

    private <T> List<Future<T>> submit(ShardCut cut, Task<T> task) {
        List<Future<T>> futures = new ArrayList<>();
        for (int each = 0; each < cut.shards(); each++) {
            int shard = each;
            futures.add(workers.get(shard % workers.size()).submit(shards -> task.run(shard, shards.of(shard, cut))));
        }
        return futures;
    }

    private <T> List<@Nullable T> forAll(ShardCut cut, Task<T> task, Duration wait, Gap gap)
            throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        List<Future<T>> futures = submit(cut, task);
        try {
            List<@Nullable T> answers = new ArrayList<>();
            for (int shard = 0; shard < futures.size(); shard++) {
                answers.add(await(shard, futures.get(shard), deadline, gap));
            }
            return answers;
        } finally {
            futures.forEach(future -> future.cancel(true)); // an interrupted caller does not wait for them
        }
    }

    private static <T> @Nullable T await(int shard, Future<T> future, long deadline, Gap gap)
            throws InterruptedException {
        try {
            return future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            future.cancel(true);
            gap.tell(shard, "its worker did not finish in time");
        } catch (CancellationException e) {
            gap.tell(shard, "its worker was stopped");
        } catch (ExecutionException e) {
            gap.tell(shard, "its worker failed: " + sentence(e));
        }
        return null;
    }

    private static String sentence(ExecutionException e) {
        return ShardThread.sentence(e.getCause() == null ? e : e.getCause());
    }

    @Override
    public long takeBytes() {
        long taken = bytes;
        bytes = 0;
        return taken;
    }

    /** Stops all work. The resources of a shard are freed when its worker has released them. */
    @Override
    public void close() {
        boolean interrupted = false;
        workers.forEach(ShardThread::close);
        for (ShardThread worker : workers) {
            try {
                worker.awaitEnd();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
