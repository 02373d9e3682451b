package io.cutwater.trainer.training;

import io.cutwater.trainer.channel.FrameChannel;
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
        return train(round, from, FrameChannel.alone());
    }

    /**
     * Trains from a given state, together with the other shards of a group. These then get bit-equal states.
     *
     * @param others channels to the other shards
     * @throws InterruptedException soon after the thread is interrupted
     * @throws IllegalStateException if another shard failed; the message is meant for users
     */
    LocalUpdate train(Round round, ModelState from, FrameChannel others) throws InterruptedException;

    /** Tests weights on all labelled vertices that the shard owns. */
    AccuracyCounts evaluate(float[][] weights) throws IOException;

    /**
     * Tests a model on all labelled vertices that the shard owns, together with the other shards of a group.
     *
     * @param round the round before the test
     * @param others channels to the other shards
     * @throws InterruptedException soon after the thread is interrupted
     * @throws IllegalStateException if another shard failed; the message is meant for users
     */
    default AccuracyCounts evaluate(Round round, ModelState state, FrameChannel others)
            throws IOException, InterruptedException {
        return evaluate(state.weights());
    }

    /**
     * Makes mini-batches for the worker of the shard in the current group, from now on and in other threads.
     *
     * @param samplers channels to the samplers of the other shards
     * @throws InterruptedException soon after the thread is interrupted
     * @throws IllegalStateException if another sampler failed; the message is meant for users
     * @throws UnsupportedOperationException if this is not the shard of a sampler
     */
    default void serve(FrameChannel samplers) throws IOException, InterruptedException {
        throw new UnsupportedOperationException("this process makes no mini-batches for others");
    }

    @Override
    void close();
}
