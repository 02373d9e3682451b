package io.cutwater.trainer.averaging;

import io.cutwater.trainer.training.LocalUpdate;
import io.cutwater.trainer.training.ModelState;
import io.cutwater.trainer.training.Round;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The workers: threads, each with shards of its own, which it serves one after the other. One that fails or is late
 * leaves a gap in the answers, and is asked again the next time.
 */
final class Crew implements Workforce {
    private final List<ShardTrainer> shards;
    private final List<ExecutorService> workers = new ArrayList<>();
    private long bytes;

    Crew(List<ShardTrainer> shards, int workers) {
        this.shards = List.copyOf(shards);
        for (int worker = 0; worker < Math.min(workers, shards.size()); worker++) {
            String name = "trainer-" + worker;
            this.workers.add(Executors.newSingleThreadExecutor(task -> {
                Thread thread = new Thread(task, name);
                thread.setDaemon(true);
                return thread;
            }));
        }
    }

    /** Something that is done for one shard. */
    private interface Task<T> {
        T run(ShardTrainer shard) throws Exception;
    }

    @Override
    public List<@Nullable LocalUpdate> train(Round round, ModelState from, Duration wait, Gap gap)
            throws InterruptedException {
        List<@Nullable LocalUpdate> updates = forAll(shard -> shard.train(round, from), wait, gap);
        for (LocalUpdate update : updates) {
            if (update != null && update.examples() > 0 && shards.size() > 1) { // one shard alone sends nothing
                bytes += 2 * update.state().bytes();
            }
        }
        return updates;
    }

    @Override
    public List<@Nullable Tally> test(Round round, float[][] weights, Duration wait, Gap gap)
            throws InterruptedException {
        return forAll(shard -> shard.evaluate(weights), wait, gap);
    }

    private <T> List<@Nullable T> forAll(Task<T> task, Duration wait, Gap gap) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        List<Future<T>> futures = new ArrayList<>();
        for (int shard = 0; shard < shards.size(); shard++) {
            ShardTrainer trainer = shards.get(shard);
            futures.add(workers.get(shard % workers.size()).submit(() -> task.run(trainer)));
        }
        List<@Nullable T> answers = new ArrayList<>();
        for (int shard = 0; shard < futures.size(); shard++) {
            answers.add(await(shard, futures.get(shard), deadline, gap));
        }
        return answers;
    }

    private static <T> @Nullable T await(int shard, Future<T> future, long deadline, Gap gap)
            throws InterruptedException {
        try {
            return future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            future.cancel(true);
            gap.tell(shard, "its worker was not done in time");
        } catch (CancellationException e) {
            gap.tell(shard, "its worker was stopped");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            gap.tell(
                    shard,
                    "its worker failed: "
                            + (cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage()));
        }
        return null;
    }

    @Override
    public long takeBytes() {
        long taken = bytes;
        bytes = 0;
        return taken;
    }

    @Override
    public int shardCount() {
        return shards.size();
    }

    /** Stops all work; what the shards hold is freed once their worker has let go of them. */
    @Override
    public void close() {
        for (int shard = 0; shard < shards.size(); shard++) {
            workers.get(shard % workers.size()).execute(shards.get(shard)::close);
        }
        boolean interrupted = false;
        for (ExecutorService worker : workers) {
            worker.shutdown();
        }
        for (ExecutorService worker : workers) {
            try {
                worker.awaitTermination(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
