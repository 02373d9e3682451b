package io.cutwater.kafka.ingest;

import io.cutwater.state.graph.EdgeBatch;

/**
 * Options of the ingest of files.
 *
 * @param target the topic and the form of its records; its rate is that of all files together
 * @param progressTopic compacted topic with the progress of each file, see {@code Topics.ingestProgress()}
 * @param threads files read concurrently, 1 to 64; each has its own producer with buffers of 32 MiB
 * @param edgesPerTransaction a transaction ends after so many edges, at least 1, or after a second
 * @param restart whether files are written again from their beginning, whatever their progress
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

    /** Creates options with up to four threads, default transactions, and no restart. */
    static EdgeFileIngestOptions of(IngestOptions target, String progressTopic) {
        int threads = Math.min(USUAL_THREADS, Runtime.getRuntime().availableProcessors());
        return new EdgeFileIngestOptions(target, progressTopic, threads, DEFAULT_EDGES_PER_TRANSACTION, false);
    }

    /** Limits a read so that no batch waits long for the rate limit, because it waits with its transaction open. */
    int edgesPerRead() {
        long share = target.edgesPerSecond() / (READS_PER_SECOND * threads);
        return target.edgesPerSecond() == 0
                ? EdgeBatch.DEFAULT_CAPACITY
                : (int) Math.max(1, Math.min(EdgeBatch.DEFAULT_CAPACITY, share));
    }
}
