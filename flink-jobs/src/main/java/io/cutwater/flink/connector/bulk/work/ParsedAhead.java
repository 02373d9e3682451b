package io.cutwater.flink.connector.bulk.work;

import io.cutwater.flink.connector.input.OrderedInput;
import io.cutwater.state.graph.EdgeBatch;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads an input from its beginning in a thread of its own, a few batches ahead of the thread that uses them. So
 * parsing and what is done with the edges take a core each, and the order of the batches is that of the input.
 */
final class ParsedAhead implements Closeable {
    private final BatchHandover batches = new BatchHandover();
    private final Thread thread;

    /** Opens the input that is read. */
    @FunctionalInterface
    interface Opening {
        OrderedInput open() throws IOException;
    }

    /** Starts the thread, which opens the input, reads and closes it. */
    ParsedAhead(Opening input) {
        thread = new Thread(() -> read(input), Thread.currentThread().getName() + ", reading");
        thread.setDaemon(true);
        thread.start();
    }

    private void read(Opening input) {
        try (OrderedInput edges = input.open()) {
            EdgeBatch batch = batches.takeEmpty();
            while (edges.read(batch)) {
                // Positions are not asked for: nobody begins in the middle of this reading.
                batches.hand(batch, BulkSplit.WHOLE);
                batch = batches.takeEmpty();
            }
            batches.finish();
        } catch (Throwable e) {
            batches.fail(e);
        }
    }

    /**
     * Waits for the next batch, and returns it; it is {@linkplain #giveBack given back} after use.
     *
     * @return null at the end of the input
     * @throws IOException if the input could not be read
     * @throws InterruptedException soon after the calling thread was interrupted
     */
    @Nullable EdgeBatch next() throws IOException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("reading the input was interrupted");
        }
        BatchHandover.Handed handed = batches.take();
        if (handed != null) {
            return handed.batch();
        }
        Throwable failure = batches.failure();
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
        if (failure != null) {
            throw new IOException("reading the input failed: " + failure, failure);
        }
        return null;
    }

    void giveBack(EdgeBatch batch) {
        batches.giveBack(batch);
    }

    /** Ends the thread, and waits until it has closed the input. */
    @Override
    public void close() {
        thread.interrupt();
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
