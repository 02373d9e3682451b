package io.cutwater.trainer.averaging;

/**
 * Decides when a training moves to a newer cut of its graph.
 *
 * @param everyEpochs epochs between two looks for a newer cut; 0 to stay at the first one
 * @param follows whether the training continues after its last epoch, with one round for each newer cut, until its
 *     thread is interrupted
 */
public record RefreshPolicy(int everyEpochs, boolean follows) {
    /** Stays at the first cut. */
    public static final RefreshPolicy NEVER = new RefreshPolicy(0, false);

    public RefreshPolicy {
        if (everyEpochs < 0) {
            throw new IllegalArgumentException("--merge-every must be at least 0, but was %d".formatted(everyEpochs));
        }
    }
}
