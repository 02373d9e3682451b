package io.cutwater.trainer.feature;

/** What is done to features before a model sees them. */
public enum FeatureScaling {
    NONE,
    /** Each row is divided by the sum of its magnitudes, as Kipf and Welling do with words of papers. */
    ROW,
    /** Each column gets mean 0 and standard deviation 1 over all rows of the file; rows are then held dense. */
    COLUMN
}
