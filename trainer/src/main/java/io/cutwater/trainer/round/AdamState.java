package io.cutwater.trainer.round;

/**
 * The state of an Adam optimiser.
 *
 * @param step number of steps so far
 * @param means running means of gradients, one array per weight
 * @param variances running means of squared gradients, one array per weight
 */
public record AdamState(int step, float[][] means, float[][] variances) {
    /** β₁ of the paper: the decay rate of the running means of gradients. */
    public static final double MEAN_DECAY = 0.9;
    /** β₂ of the paper: the decay rate of the running means of squares. */
    public static final double VARIANCE_DECAY = 0.999;
}
