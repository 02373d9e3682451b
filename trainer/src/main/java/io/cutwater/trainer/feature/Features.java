package io.cutwater.trainer.feature;

/** The features of a shard's vertices, one row per local vertex number. Thread-safe for readers. */
public sealed interface Features permits DenseFeatures, SparseFeatures {
    /** Returns the number of features of a vertex, at least 1. */
    int columns();

    /** Returns the average number of stored values per row (all values, or the nonzero ones), at least 1. */
    int numbersPerRow();
}
