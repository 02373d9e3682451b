package io.cutwater.deploy.launch;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command that works until it is told to end (SIGTERM, SIGINT) end in good order: its thread is interrupted, and
 * when it is through, the process ends with exit code 0. Without this the process would end at once, with the signal's
 * code.
 */
public final class Termination implements AutoCloseable {
    /** Less than the time after which orchestrators kill a process. */
    private static final long PATIENCE_SECONDS = 25;

    private static final long LAST_WORDS_MILLIS = 1000;

    private final Thread worker = Thread.currentThread();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::end, "termination");
    private volatile boolean isDone;

    /** Ends the work of the current thread when the process is told to terminate. */
    public Termination() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Marks the work as done and its results as printed. */
    public void done() {
        isDone = true;
    }

    private void end() {
        worker.interrupt();
        try {
            if (closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS) && isDone) {
                Runtime.getRuntime().halt(0); // while a process shuts down there is no other way to its exit code
            }
            worker.join(LAST_WORDS_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process is already terminating, and waits for this
        }
    }
}
