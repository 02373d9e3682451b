package io.cutwater.trainer.sync;

import io.cutwater.trainer.feature.Features;
import io.cutwater.trainer.feature.SparseFeatures;

/**
 * Options of synchronous mini-batches over the whole graph.
 *
 * @param cacheBytes size of the rows of other shards that a shard keeps, at least 0
 * @param embeddings values of a learned row of each vertex; 0 if vertices have features
 * @param samplers sampler processes that make the mini-batches; 0 if the trainers make them
 */
public record SyncOptions(long cacheBytes, int embeddings, int samplers) {
    /** Default of {@link #cacheBytes}, as users write it. */
    public static final String DEFAULT_CACHE = "64m";

    private static final int MAX_EMBEDDINGS = 1 << 16;
    private static final int MAX_CACHE_ROWS = 1 << 29;

    public SyncOptions {
        if (cacheBytes < 0) {
            throw new IllegalArgumentException("--row-cache must be at least 0 bytes, but was " + cacheBytes);
        }
        if (embeddings < 0 || embeddings > MAX_EMBEDDINGS) {
            throw new IllegalArgumentException(
                    "--embeddings must be between 1 and %,d, but was %d".formatted(MAX_EMBEDDINGS, embeddings));
        }
        if (samplers < 0) {
            throw new IllegalArgumentException("--sampler-processes must be at least 0, but was " + samplers);
        }
        if (samplers > 0 && embeddings > 0) {
            throw new IllegalArgumentException(
                    "--embeddings does not work with samplers, because workers keep the rows that they learn; leave out --sampler-processes");
        }
    }

    /** Creates options of trainers that make their mini-batches. */
    public SyncOptions(long cacheBytes, int embeddings) {
        this(cacheBytes, embeddings, 0);
    }

    /** Returns the number of rows that fit the cache; sparse rows count with their mean size. */
    public int cacheRows(Features features) {
        return (int) Math.min(MAX_CACHE_ROWS, cacheBytes / bytesPerRow(features));
    }

    /** Returns the mean bytes of a row, at least 1. */
    public static long bytesPerRow(Features features) {
        return Math.max(1L, features.numbersPerRow()) * (features instanceof SparseFeatures ? 8 : 4);
    }

    /** Returns a description of what the result depends on. */
    public String words() {
        return "synchronous mini-batches over the whole graph"
                + (embeddings == 0 ? "" : ", embeddings of %d numbers".formatted(embeddings));
    }
}
