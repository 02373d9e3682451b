package io.cutwater.kafka.ingest;

import io.cutwater.state.graph.EdgeBatch;

/**
 * How files go into a topic.
 *
 * @param target the topic and what is written to it; its rate is that of all files together
 * @param progressTopic compacted; holds how far each file is, see {@code Topics.ingestProgress()}
 * @param threads files that are read at the same time, 1 to 64; each has a producer with buffers of its own (32 MiB)
 * @param edgesPerTransaction a transaction ends after so many edges, at least 1, or after a second
 * @param restart whether files are written from their beginning again, however far they are
 */
public record EdgeFileIngestOptions(
        IngestOptions target, String progressTopic, int threads, long edgesPerTransaction, boolean restart) {
    public static final long DEFAULT_EDGES_PER_TRANSACTION = 1_000_000;

    private static final int MAX_THREADS = 64;
    private static final int USUAL_THREADS = 4;
    private static final int READS_PER_SECOND = 4;

    public EdgeFileIngestOptions {
        if (threads < 1 || threads > MAX_THREADS) {
            throw new IllegalArgumentException("threads must be in [1, %d]: %d".formatted(MAX_THREADS, threads));
        }
        if (edgesPerTransaction < 1) {
            throw new IllegalArgumentException("edgesPerTransaction must be at least 1: " + edgesPerTransaction);
        }
    }

    /** Up to four threads, the usual transactions, no restart. */
    public static EdgeFileIngestOptions of(IngestOptions target, String progressTopic) {
        int threads = Math.min(USUAL_THREADS, Runtime.getRuntime().availableProcessors());
        return new EdgeFileIngestOptions(target, progressTopic, threads, DEFAULT_EDGES_PER_TRANSACTION, false);
    }

    /** So few that no batch waits long for the rate limit: it does so with its transaction open. */
    int edgesPerRead() {
        long share = target.edgesPerSecond() / (READS_PER_SECOND * threads);
        return target.edgesPerSecond() == 0
                ? EdgeBatch.DEFAULT_CAPACITY
                : (int) Math.max(1, Math.min(EdgeBatch.DEFAULT_CAPACITY, share));
    }
}
