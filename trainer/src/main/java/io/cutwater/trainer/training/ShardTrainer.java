package io.cutwater.trainer.training;

import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import java.io.IOException;

/** Trains and tests models on one shard. Used by one thread at a time. */
public interface ShardTrainer extends AutoCloseable {
    /**
     * Trains from some state on; without training vertices it comes back, and counts for nothing.
     *
     * @throws InterruptedException soon after its thread is interrupted
     */
    LocalUpdate train(Round round, ModelState from) throws InterruptedException;

    /** Tests weights on all vertices that the shard owns and that have a class. */
    AccuracyCounts evaluate(float[][] weights) throws IOException;

    @Override
    void close();
}
