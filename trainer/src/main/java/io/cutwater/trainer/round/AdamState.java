package io.cutwater.trainer.round;

/**
 * What Adam remembers: running means of gradients and of their squares, and the steps so far.
 *
 * @param means one array per weight
 * @param variances one array per weight
 */
public record AdamState(int step, float[][] means, float[][] variances) {
    /** Share of the running means of gradients that stays at each step: β₁ of the paper. */
    public static final double MEAN_DECAY = 0.9;
    /** Share of the running means of squares that stays at each step: β₂. */
    public static final double VARIANCE_DECAY = 0.999;
}
