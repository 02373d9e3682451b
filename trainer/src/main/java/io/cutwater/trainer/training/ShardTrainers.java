package io.cutwater.trainer.training;

import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import java.io.IOException;
import java.util.Collection;

/** Creates trainers of shards. Thread-safe for threads that open different shards. */
@FunctionalInterface
public interface ShardTrainers {
    /** Announces shards of a cut that are going to be opened here, see {@link ShardSource#expect}. */
    default void expect(ShardCut cut, Collection<Integer> shards) {}

    /** Returns whether trainings and tests need all shards of the cut at the same time. */
    default boolean needAllShards() {
        return false;
    }

    /**
     * Creates the trainer of a shard at a cut.
     *
     * @param shard number from 0, below the number of shards of the cut
     * @throws IOException if the shard cannot be built or does not fit the model; the message is meant for users
     */
    ShardTrainer open(int shard, ShardCut cut) throws IOException, InterruptedException;
}
