package io.cutwater.trainer.feature;

/** Scaling of features before training. */
public enum FeatureScaling {
    NONE,
    /** Divides each row by the sum of its absolute values, as Kipf and Welling do with bags of words. */
    ROW,
    /** Scales each column to mean 0 and standard deviation 1 over all rows; the rows are then stored dense. */
    COLUMN
}
