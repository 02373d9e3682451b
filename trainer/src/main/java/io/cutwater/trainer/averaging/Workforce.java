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

/** Whoever trains and tests on the shards. Used by one thread. */
public interface Workforce extends AutoCloseable {
    /** Is told of a shard without an answer. */
    @FunctionalInterface
    interface Gap {
        void tell(int shard, String sentence);
    }

    /**
     * Gets ready for the shards of a cut, which is no part of a round's wait. Nobody needs those of the cut before it
     * any more.
     *
     * @throws IOException with a sentence, if a shard cannot be made
     */
    void prepare(ShardCut cut) throws IOException, InterruptedException;

    /**
     * Trains every shard from the same state on.
     *
     * @param wait for all of them together
     * @return an update per shard, null where there is none in time
     */
    List<@Nullable LocalUpdate> train(Round round, ModelState from, Duration wait, Gap gap) throws InterruptedException;

    /** Tests weights on every shard; as {@link #train}. */
    List<@Nullable AccuracyCounts> test(Round round, float[][] weights, Duration wait, Gap gap)
            throws InterruptedException;

    /** Bytes of models sent since the last call, both ways. */
    long takeBytes();

    @Override
    void close();
}
