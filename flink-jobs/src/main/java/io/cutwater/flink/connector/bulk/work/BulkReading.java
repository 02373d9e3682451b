package io.cutwater.flink.connector.bulk.work;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.scratch.LockedFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.core.io.InputStatus;

/**
 * Reads a whole input in a thread of its own, then hands it over batch by batch. Until the first batch the task is free
 * for checkpoints.
 */
public final class BulkReading implements AutoCloseable {
    private static final long CLOSE_MILLIS = 30_000;

    private final BatchHandover handover = new BatchHandover();
    private final BulkStage stage = new BulkStage();
    private final Thread thread;
    private BulkSplit next;

    /**
     * Starts the thread.
     *
     * @param name of the job's scratch folder
     * @param from position at which emitting begins
     */
    public BulkReading(SourceReaderContext context, InputWork work, String name, BulkSplit from) {
        next = from;
        stage.register(context.metricGroup());
        Path temporary = Path.of(ConfigurationUtils.parseTempDirectories(context.getConfiguration())[0]);
        thread = new Thread(() -> run(work, temporary, name, from), "bulk passes " + name);
        thread.setDaemon(true);
        thread.setContextClassLoader(context.getUserCodeClassLoader().asClassLoader());
        thread.start();
    }

    private void run(InputWork work, Path temporary, String name, BulkSplit from) {
        try (LockedFolder scratch = LockedFolder.take(temporary, name)) {
            work.run(scratch.path(), from, handover, stage);
            handover.finish();
        } catch (InterruptedException e) {
            // The reader was closed, so nobody waits for the end.
        } catch (Throwable e) {
            handover.fail(e);
        }
    }

    /**
     * Emits a batch, if there is one.
     *
     * @throws IOException if the input could not be read or placed; the message is meant for users
     */
    public InputStatus poll(ReaderOutput<EdgeBatch> output) throws IOException {
        BatchHandover.Handed handed = handover.poll();
        if (handed != null) {
            output.collect(handed.batch());
            next = handed.next();
            handover.giveBack(handed.batch());
            return InputStatus.MORE_AVAILABLE;
        }
        Throwable failure = handover.failure();
        if (failure != null) {
            throw failure instanceof IOException io
                    ? io
                    : new IOException("the bulk passes failed: " + failure, failure);
        }
        if (handover.isFinished()) {
            return InputStatus.END_OF_INPUT;
        }
        return InputStatus.NOTHING_AVAILABLE;
    }

    /** Shows that the input is done with. */
    public void done() {
        stage.begin(BulkStage.DONE);
    }

    public CompletableFuture<Void> available() {
        return handover.available();
    }

    /** Returns the position at which emitting continues. */
    public BulkSplit next() {
        return next;
    }

    /** Ends the thread, which removes its scratch files unless the next attempt can use them. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
