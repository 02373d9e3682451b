package io.cutwater.trainer.averaging;

import java.time.Duration;

/**
 * Options of training and averaging the models of shards.
 *
 * @param epochs passes over all training vertices, at least 1
 * @param evaluateEvery least number of epochs between two tests of the average, at least 1; the last epoch is always
 *     followed by a test
 * @param averageEvery length of a round; the last round of a training or epoch may be shorter
 * @param workers threads that train at the same time, at least 1; shard s belongs to thread s mod {@code workers}
 * @param roundWait how long a round waits for its workers before it continues without the late ones
 * @param patience epochs without a lower validation loss after which training stops; 0 to never stop early
 * @param refresh when the training moves to a newer cut of its graph
 */
public record AveragingOptions(
        int epochs,
        int evaluateEvery,
        AverageEvery averageEvery,
        int workers,
        Duration roundWait,
        int patience,
        RefreshPolicy refresh) {
    public AveragingOptions {
        if (epochs < 1 || workers < 1 || patience < 0) {
            throw new IllegalArgumentException(
                    "epochs and workers must be at least 1, and patience at least 0: %d, %d, %d"
                            .formatted(epochs, workers, patience));
        }
        if (evaluateEvery < 1) {
            throw new IllegalArgumentException("--evaluate-every must be at least 1, but was " + evaluateEvery);
        }
        if (roundWait.isNegative() || roundWait.isZero()) {
            throw new IllegalArgumentException("roundWait must be above 0: " + roundWait);
        }
    }

    /** Creates options for a graph that does not change. */
    public AveragingOptions(int epochs, AverageEvery averageEvery, int workers, Duration roundWait, int patience) {
        this(epochs, 1, averageEvery, workers, roundWait, patience, RefreshPolicy.NEVER);
    }

    /** Creates options with rounds of whole epochs, for a graph that does not change. */
    public AveragingOptions(int epochs, int averageEvery, int workers, Duration roundWait, int patience) {
        this(epochs, AverageEvery.epochs(averageEvery), workers, roundWait, patience);
    }

    /** Returns a copy of these options with another refresh policy. */
    public AveragingOptions with(RefreshPolicy policy) {
        return new AveragingOptions(epochs, evaluateEvery, averageEvery, workers, roundWait, patience, policy);
    }

    /** Returns a copy of these options with another number of epochs between tests. */
    public AveragingOptions evaluatedEvery(int epochsBetween) {
        return new AveragingOptions(epochs, epochsBetween, averageEvery, workers, roundWait, patience, refresh);
    }
}
