package io.cutwater.trainer.exchange;

/** The purpose of a frame; its ordinal is stored. */
public enum Direction {
    /** Rows of a forward pass, from the owner or master to halo vertices or mirrors. */
    FORWARD_SCATTER,
    /** Partial sums of a forward pass, from mirrors to the master. */
    FORWARD_GATHER,
    BACKWARD_SCATTER,
    BACKWARD_GATHER,
    TEST_SCATTER,
    TEST_GATHER,
    /** Partial sums of features or degrees, once per cut. */
    INPUT_GATHER,
    /** Degrees, once per cut. */
    INPUT_SCATTER,
    /** A part of a worker's gradients, to the worker that adds this part. */
    SUM_PART,
    /** A part of the sum of all gradients. */
    SUM_WHOLE;

    boolean isForward() {
        return this == FORWARD_SCATTER || this == FORWARD_GATHER;
    }

    boolean isBackward() {
        return this == BACKWARD_SCATTER || this == BACKWARD_GATHER;
    }
}
