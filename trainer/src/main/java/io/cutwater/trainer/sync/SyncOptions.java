package io.cutwater.trainer.sync;

/**
 * Options of synchronous mini-batches over the whole graph.
 *
 * @param cacheBytes size of the rows of other shards that a shard keeps, at least 0
 * @param embeddings values of a learned row of each vertex; 0 if vertices have features
 */
public record SyncOptions(long cacheBytes, int embeddings) {
    /** Default of {@link #cacheBytes}, as users write it. */
    public static final String DEFAULT_CACHE = "64m";

    private static final int MAX_EMBEDDINGS = 1 << 16;

    public SyncOptions {
        if (cacheBytes < 0) {
            throw new IllegalArgumentException("--row-cache must be at least 0 bytes, but was " + cacheBytes);
        }
        if (embeddings < 0 || embeddings > MAX_EMBEDDINGS) {
            throw new IllegalArgumentException(
                    "--embeddings must be between 1 and %,d, but was %d".formatted(MAX_EMBEDDINGS, embeddings));
        }
    }

    /** Returns a description of what the result depends on. */
    public String words() {
        return "synchronous mini-batches over the whole graph"
                + (embeddings == 0 ? "" : ", embeddings of %d numbers".formatted(embeddings));
    }
}
