package io.cutwater.flink.checkpoint;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread that reads and writes the keyed state of a task while the task does something else. Flink's state may be
 * used by one thread at a time: before the task uses it, it waits for what it has given to this thread
 * ({@link #await()}). The thread does one thing after the other, in the order in which it got them, but long work lets
 * other work in between ({@link #runWaiting}).
 */
public final class StateThread implements AutoCloseable {
    private final String name;
    private final LinkedBlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
    private final Deque<Future<?>> given = new ArrayDeque<>();
    private @Nullable ThreadPoolExecutor executor;
    private volatile @Nullable Thread thread;

    /** Creates the thread, which starts with its first work. */
    public StateThread(String name) {
        this.name = name;
    }

    /** Gives work to the thread. Only the task calls this. */
    Future<?> execute(Runnable work) {
        ThreadPoolExecutor started = executor;
        if (started == null) {
            started = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, waiting, this::newThread);
            executor = started;
        }
        while (!given.isEmpty() && given.element().isDone()) {
            await(given.remove());
        }
        Future<?> future = started.submit(work);
        given.add(future);
        return future;
    }

    private Thread newThread(Runnable work) {
        Thread created = new Thread(work, name);
        created.setDaemon(true);
        thread = created;
        return created;
    }

    /**
     * Waits until everything is done; the state belongs to the caller until the next {@link #execute}. In the thread
     * itself it does not wait: what runs there has the state.
     *
     * @throws IllegalStateException if something failed, or the caller is interrupted
     */
    public void await() {
        if (Thread.currentThread() == thread) {
            return;
        }
        while (!given.isEmpty()) {
            await(given.remove());
        }
    }

    /**
     * Returns a setter of the current key that first waits as {@link #await()} does: with a key that the task sets this
     * thread would write to another bucket.
     */
    public IntConsumer exclusive(IntConsumer currentKey) {
        return key -> {
            await();
            currentKey.accept(key);
        };
    }

    /** Waits until this is done; throws as {@link #await()} does. */
    static void await(Future<?> work) {
        try {
            work.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the keyed state could not be read or written", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the keyed state", e);
        }
    }

    /** Does, in the middle of other work in the thread, what waits for it; that sets other current keys. */
    void runWaiting() {
        for (Runnable work = waiting.poll(); work != null; work = waiting.poll()) {
            work.run();
        }
    }

    /** Drops what has not begun, and waits for the rest, because the state is closed next. */
    @Override
    public void close() {
        ThreadPoolExecutor started = executor;
        if (started == null) {
            return;
        }
        started.shutdownNow();
        boolean isInterrupted = false;
        boolean isTerminated = false;
        while (!isTerminated) {
            try {
                isTerminated = started.awaitTermination(1, TimeUnit.DAYS);
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
