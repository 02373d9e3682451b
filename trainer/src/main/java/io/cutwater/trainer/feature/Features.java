package io.cutwater.trainer.feature;

/** The features of a shard's vertices, one row each, by local number. Any number of threads may read. */
public sealed interface Features permits DenseFeatures, SparseFeatures {
    /** Features of a vertex, at least 1. */
    int columns();

    /** Numbers that a row holds, on average: all of them, or those that are not zero; at least 1. */
    int numbersPerRow();
}
