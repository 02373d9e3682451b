package io.cutwater.state.joint;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Places for the edges of a buffer, or owners for its vertices, chosen ahead while the stream goes on. A thread sorts
 * the edges; the caller's thread then reads what is known of the vertices; another thread chooses.
 *
 * <p>The choice depends on what the tables say when the plan begins, and not on how far its threads have come: until it
 * is taken or dropped, the caller changes nothing that the plan reads.
 *
 * @param <S> the sorted edges
 * @param <B> what is read, and then chosen
 */
public final class JointPlan<S, B> {
    private final int size;
    private final Function<S, B> reading;
    private final Consumer<B> choosing;
    private final FutureTask<S> sorted;
    private @Nullable FutureTask<B> chosen;

    /**
     * Begins.
     *
     * @param size number of the edges
     * @param sorting of a copy of the edges, in a thread of the plan
     * @param reading from the tables, in the caller's thread
     * @param choosing in a thread of the plan
     */
    public JointPlan(int size, Callable<S> sorting, Function<S, B> reading, Consumer<B> choosing) {
        this.size = size;
        this.reading = reading;
        this.choosing = choosing;
        sorted = start(new FutureTask<>(sorting));
    }

    private static <T> FutureTask<T> start(FutureTask<T> task) {
        Thread thread = new Thread(task, "plan of a buffer");
        thread.setDaemon(true);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        thread.start();
        return task;
    }

    /** Returns the number of edges that the plan is for. */
    public int size() {
        return size;
    }

    /**
     * Goes on, and waits a little for the thread, so that edges come more slowly than it works.
     *
     * @param millis to wait at most
     */
    public void advance(long millis) {
        try {
            if (chosen == null) {
                read(sorted.get(millis, TimeUnit.MILLISECONDS));
            } else {
                chosen.get(millis, TimeUnit.MILLISECONDS);
            }
        } catch (TimeoutException e) {
            // It is not ready; there will be another call.
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private FutureTask<B> read(S edges) {
        B buffer = reading.apply(edges);
        FutureTask<B> task = start(new FutureTask<>(() -> choosing.accept(buffer), buffer));
        chosen = task;
        return task;
    }

    /** Waits for the end, and returns what is chosen. */
    public B finish() {
        try {
            FutureTask<B> task = chosen;
            return (task == null ? read(sorted.get()) : task).get();
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    /** Waits until no thread works any more. */
    public void stop() {
        Future<?> task = chosen == null ? sorted : chosen;
        try {
            task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            // The plan is not needed.
        }
    }

    private static CancellationException interrupted() {
        Thread.currentThread().interrupt();
        return new CancellationException("interrupted while places for a buffer of edges are chosen");
    }

    private static RuntimeException failure(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException exception ? exception : new IllegalStateException(cause);
    }
}
