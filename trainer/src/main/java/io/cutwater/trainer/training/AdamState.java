package io.cutwater.trainer.training;

/**
 * What Adam remembers: running means of gradients and of their squares, and the steps so far.
 *
 * @param means one array per weight
 * @param variances one array per weight
 */
public record AdamState(int step, float[][] means, float[][] variances) {}
