package io.cutwater.kafka.progress;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The shared state of the threads of an ingest: their total work, and the first failure, which stops all. */
public final class IngestTally {
    private final IngestListener listener;
    private final long totalBytes;
    private long edges;
    private long bytes;
    private @Nullable Throwable failure;

    public IngestTally(IngestListener listener, long totalBytes) {
        this.listener = listener;
        this.totalBytes = totalBytes;
    }

    public synchronized void add(long moreEdges, long moreBytes) {
        edges += moreEdges;
        bytes += moreBytes;
        listener.progress(edges, totalBytes == 0 ? 1 : Math.min(1, (double) bytes / totalBytes));
    }

    public synchronized void note(String sentence) {
        listener.note(sentence);
    }

    public synchronized void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /** @throws CancellationException if another thread has failed */
    public synchronized void checkGoesOn() {
        if (failure != null) {
            throw new CancellationException("another file failed");
        }
    }

    /**
     * Throws the first failure unchanged; later ones may be its consequence.
     *
     * @param other thrown instead if there is none
     */
    public synchronized IllegalStateException rethrow(ExecutionException other) throws IOException {
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
        return new IllegalStateException(other);
    }
}
