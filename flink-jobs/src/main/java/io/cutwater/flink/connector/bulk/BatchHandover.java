package io.cutwater.flink.connector.bulk;

import io.cutwater.state.graph.EdgeBatch;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Batches on their way from the thread that fills them to the task that emits them; a few, which go round. */
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
     * @param next where emitting goes on behind it
     */
    record Handed(EdgeBatch batch, BulkSplit next) {}

    BatchHandover() {
        for (int i = 0; i < BATCHES; i++) {
            empty.add(new EdgeBatch());
        }
    }

    /** An empty batch to be filled, as soon as there is one. */
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
        available.complete(null);
    }

    /** There is no more to come. */
    synchronized void finish() {
        isFinished = true;
        available.complete(null);
    }

    synchronized void fail(Throwable cause) {
        failure = cause;
        available.complete(null);
    }

    /** The next full batch, to be given back when it is emitted; null if there is none now. */
    synchronized @Nullable Handed poll() {
        return full.poll();
    }

    synchronized void giveBack(EdgeBatch batch) {
        empty.add(batch);
        notifyAll();
    }

    /** Whether all batches were taken and no more will come. */
    synchronized boolean isFinished() {
        return isFinished && full.isEmpty();
    }

    /** Why no more will come, though it should; null if nothing is wrong. */
    synchronized @Nullable Throwable failure() {
        return failure;
    }

    /** Done as soon as there is a batch, the end, or a failure. */
    synchronized CompletableFuture<Void> available() {
        if (available.isDone() && full.isEmpty() && !isFinished && failure == null) {
            available = new CompletableFuture<>();
        }
        return available;
    }
}
