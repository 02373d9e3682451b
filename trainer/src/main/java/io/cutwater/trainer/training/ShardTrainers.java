package io.cutwater.trainer.training;

import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import java.io.IOException;
import java.util.Collection;

/** Makes trainers of shards. May be used by several threads, each with shards of its own. */
@FunctionalInterface
public interface ShardTrainers {
    /** Tells which shards of a cut are going to be opened here, as {@link ShardSource#expect} does. */
    default void expect(ShardCut cut, Collection<Integer> shards) {}

    /**
     * Makes the trainer of a shard as it is at a cut.
     *
     * @param shard from 0, below the number of shards of the cut
     * @throws IOException with a sentence, if the shard cannot be made, or does not fit the model
     */
    ShardTrainer open(int shard, ShardCut cut) throws IOException, InterruptedException;
}
