package io.cutwater.trainer.training;

import io.cutwater.trainer.reduce.AllReduce;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import java.io.IOException;

/** Trains and tests models on one shard. Used by one thread at a time. */
public interface ShardTrainer extends AutoCloseable {
    /**
     * Trains from a given state. Without training vertices the result has no weight in the average.
     *
     * @throws InterruptedException soon after the thread is interrupted
     */
    default LocalUpdate train(Round round, ModelState from) throws InterruptedException {
        return train(round, from, AllReduce.alone());
    }

    /**
     * Trains from a given state, where each step takes the mean gradient of all shards. The shards of a group get
     * bit-equal states.
     *
     * @param gradients the rank of this shard
     * @throws InterruptedException soon after the thread is interrupted
     * @throws IllegalStateException if another rank failed; the message is meant for users
     */
    LocalUpdate train(Round round, ModelState from, AllReduce gradients) throws InterruptedException;

    /** Tests weights on all labelled vertices that the shard owns. */
    AccuracyCounts evaluate(float[][] weights) throws IOException;

    @Override
    void close();
}
