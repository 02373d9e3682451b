package io.cutwater.trainer.averaging;

import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.shard.ShardCut;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The workers of a training, as the coordinator sees them. Used by one thread. */
public interface Workforce extends AutoCloseable {
    /** Receives the shards that did not answer. */
    @FunctionalInterface
    interface Gap {
        void tell(int shard, String sentence);
    }

    /**
     * Prepares the shards of a cut, before the wait of a round begins. The shards of the previous cut are released.
     *
     * @throws IOException if a shard cannot be built; the message is meant for users
     */
    void prepare(ShardCut cut) throws IOException, InterruptedException;

    /**
     * Trains every shard, starting from one state.
     *
     * @param wait time limit for all shards together
     * @return one update per shard, null for a shard that did not answer in time
     */
    List<@Nullable LocalUpdate> train(Round round, ModelState from, Duration wait, Gap gap) throws InterruptedException;

    /** Tests a model on every shard, with the time limit and gaps of {@link #train}. */
    List<@Nullable AccuracyCounts> test(Round round, ModelState state, Duration wait, Gap gap)
            throws InterruptedException;

    /** Returns whether all rounds and tests need all shards at the same time. */
    default boolean needsAllShards() {
        return false;
    }

    /** Returns the number of workers, 0 or more. */
    int workers();

    /** Returns the bytes of models sent in both directions since the last call. */
    long takeBytes();

    @Override
    void close();
}
