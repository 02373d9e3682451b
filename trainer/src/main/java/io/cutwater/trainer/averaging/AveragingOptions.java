package io.cutwater.trainer.averaging;

import java.time.Duration;

/**
 * How models of shards become one.
 *
 * @param epochs over all training vertices, at least 1
 * @param averageEvery length of a round; the last round, or the last of an epoch's, may be shorter
 * @param workers threads that train at the same time, at least 1; shard s is worker s mod this one's
 * @param roundWait how long a round waits for its workers before it goes on without those that are late
 * @param patience epochs without a lower validation loss after which training stops; 0: never
 */
public record AveragingOptions(int epochs, AverageEvery averageEvery, int workers, Duration roundWait, int patience) {
    public AveragingOptions {
        if (epochs < 1 || workers < 1 || patience < 0) {
            throw new IllegalArgumentException(
                    "epochs and workers must be at least 1, and patience at least 0: %d, %d, %d"
                            .formatted(epochs, workers, patience));
        }
        if (roundWait.isNegative() || roundWait.isZero()) {
            throw new IllegalArgumentException("roundWait must be above 0: " + roundWait);
        }
    }

    /** With rounds of whole epochs. */
    public AveragingOptions(int epochs, int averageEvery, int workers, Duration roundWait, int patience) {
        this(epochs, AverageEvery.epochs(averageEvery), workers, roundWait, patience);
    }
}
