package io.cutwater.trainer.reduce;

/**
 * What one rank sends to another in one half of a step.
 *
 * @param step number of the step in the round, from 1
 * @param isMean false for the sender's gradient in the receiver's slice; true for the mean in the sender's slice
 * @param weight examples behind the gradient, at least 0; without examples there are no values
 * @param hasMore whether the sender has a mini-batch for the next step
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a list would box every value
public record Part(int step, boolean isMean, long weight, boolean hasMore, float[] values) {}
