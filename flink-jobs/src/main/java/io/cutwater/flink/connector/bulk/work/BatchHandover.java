package io.cutwater.flink.connector.bulk.work;

import io.cutwater.state.graph.EdgeBatch;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Passes batches from the thread that fills them to the task or thread that uses them. The few batches are reused. */
final class BatchHandover {
    private static final int BATCHES = 4;

    private final Queue<EdgeBatch> empty = new ArrayDeque<>();
    private final Queue<Handed> full = new ArrayDeque<>();
    private CompletableFuture<Void> available = new CompletableFuture<>();
    private boolean isFinished;
    private @Nullable Throwable failure;

    /**
     * A full batch.
     *
     * @param next position at which emitting continues after it
     */
    record Handed(EdgeBatch batch, BulkSplit next) {}

    BatchHandover() {
        for (int i = 0; i < BATCHES; i++) {
            empty.add(new EdgeBatch());
        }
    }

    /** Waits for an empty batch and returns it. */
    synchronized EdgeBatch takeEmpty() throws InterruptedException {
        while (empty.isEmpty()) {
            wait();
        }
        EdgeBatch batch = empty.remove();
        batch.clear();
        return batch;
    }

    synchronized void hand(EdgeBatch batch, BulkSplit next) {
        full.add(new Handed(batch, next));
        tell();
    }

    /** Marks the end: no more batches follow. */
    synchronized void finish() {
        isFinished = true;
        tell();
    }

    synchronized void fail(Throwable cause) {
        failure = cause;
        tell();
    }

    private synchronized void tell() {
        available.complete(null);
        notifyAll();
    }

    /** Returns the next full batch, to be given back after it was used; null if there is none now. */
    synchronized @Nullable Handed poll() {
        return full.poll();
    }

    /**
     * Waits for the next full batch and returns it, to be given back after it was used; null after the last one, and
     * after a failure.
     */
    synchronized @Nullable Handed take() throws InterruptedException {
        while (full.isEmpty() && !isFinished && failure == null) {
            wait();
        }
        return failure == null ? full.poll() : null;
    }

    synchronized void giveBack(EdgeBatch batch) {
        empty.add(batch);
        notifyAll();
    }

    /** Returns whether all batches were taken and no more will follow. */
    synchronized boolean isFinished() {
        return isFinished && full.isEmpty();
    }

    /** Returns the failure that ended the work; null if there is none. */
    synchronized @Nullable Throwable failure() {
        return failure;
    }

    /** Returns a future that completes as soon as there is a batch, the end, or a failure. */
    synchronized CompletableFuture<Void> available() {
        if (available.isDone() && full.isEmpty() && !isFinished && failure == null) {
            available = new CompletableFuture<>();
        }
        return available;
    }
}
