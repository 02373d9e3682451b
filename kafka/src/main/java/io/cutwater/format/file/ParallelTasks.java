package io.cutwater.format.file;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs file tasks on a few threads; {@link #close} returns only when none of them runs any more. */
public final class ParallelTasks implements AutoCloseable {
    private static final long STOP_SECONDS = 60;

    private final ExecutorService executor;

    public ParallelTasks(int threads) {
        executor = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "output-folder");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Runs all tasks and returns their results in the order of the tasks; the first failure ends the call. */
    public <T> List<T> run(List<Callable<T>> tasks) throws IOException {
        List<Future<T>> futures = new ArrayList<>(tasks.size());
        try {
            for (Callable<T> task : tasks) {
                futures.add(executor.submit(task));
            }
            List<T> results = new ArrayList<>(tasks.size());
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the output was not finished: the thread was interrupted");
        } catch (ExecutionException e) {
            // Keep the task's message, which is meant for users, and the stack trace.
            if (e.getCause() instanceof IOException failure) {
                throw new IOException(failure.getMessage(), e);
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            futures.forEach(future -> future.cancel(true));
        }
    }

    /** Interrupts running tasks and waits for them: their files may be deleted next. */
    @Override
    public void close() {
        executor.shutdownNow();
        try {
            if (!executor.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("a task did not stop within %d s".formatted(STOP_SECONDS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
