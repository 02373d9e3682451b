package io.cutwater.trainer.sync;

/**
 * Options of synchronous mini-batches over the whole graph.
 *
 * @param cacheBytes size of the rows of other shards that a shard keeps, at least 0
 */
public record SyncOptions(long cacheBytes) {
    /** Default of {@link #cacheBytes}, as users write it. */
    public static final String DEFAULT_CACHE = "64m";

    public SyncOptions {
        if (cacheBytes < 0) {
            throw new IllegalArgumentException("--row-cache must be at least 0 bytes, but was " + cacheBytes);
        }
    }

    /** Returns a description of what the result depends on. */
    public String words() {
        return "synchronous mini-batches over the whole graph";
    }
}
