package io.cutwater.trainer.averaging;

import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.shard.ShardCut;
import java.io.IOException;
import java.nio.file.Path;
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

    /** Tests weights on every shard, with the time limit and gaps of {@link #train}. */
    List<@Nullable AccuracyCounts> test(Round round, float[][] weights, Duration wait, Gap gap)
            throws InterruptedException;

    /** Returns the traffic between workers since the last call that is in no report. */
    default Traffic takeTraffic() {
        return Traffic.NONE;
    }

    /** Returns whether all rounds and tests need all shards at the same time. */
    default boolean needsAllShards() {
        return false;
    }

    /** Returns the part of mini-batches that shards had themselves since the last call; nothing if all do. */
    default Locality takeLocality() {
        return Locality.NONE;
    }

    /**
     * Writes state that is not in the model, such as embeddings, beside the checkpoint of a round; called before that
     * is written.
     *
     * @param isBest whether the model of the round is the best so far
     */
    default void save(Path folder, int round, boolean isBest) throws IOException {}

    /**
     * Restores what {@link #save} wrote; called before the first {@link #prepare}.
     *
     * @throws IOException if it is missing or damaged; the message is meant for users
     */
    default void restore(Path folder, int round) throws IOException {}

    /** Returns the bytes of models sent in both directions since the last call. */
    long takeBytes();

    @Override
    void close();
}
