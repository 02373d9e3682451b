package io.cutwater.trainer.training;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A thread with its open shards, which no other thread uses. Tasks run in order. */
public final class ShardThread {
    private static final long LONGEST_END_SECONDS = 10;

    private final ExecutorService thread;
    private final OpenShards shards;

    /** A task on the shards. */
    @FunctionalInterface
    public interface Task<T> {
        @Nullable T run(OpenShards shards) throws Exception;
    }

    /** @param name of the thread */
    public ShardThread(String name, ShardTrainers trainers) {
        shards = new OpenShards(trainers);
        thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        });
    }

    /** Submits a task, which runs after the earlier ones. */
    public <T> Future<T> submit(Task<T> task) {
        Callable<T> call = () -> task.run(shards);
        return thread.submit(call);
    }

    /** Closes the shards after the submitted tasks, and accepts no more tasks. */
    public void close() {
        thread.execute(shards::close);
        thread.shutdown();
    }

    /** Waits until the shards are closed, for up to 10 seconds. */
    public void awaitEnd() throws InterruptedException {
        thread.awaitTermination(LONGEST_END_SECONDS, TimeUnit.SECONDS);
    }

    /** Returns a description of a failure for users. */
    public static String sentence(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
