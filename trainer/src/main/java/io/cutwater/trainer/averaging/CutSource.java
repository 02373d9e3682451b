package io.cutwater.trainer.averaging;

import io.cutwater.trainer.shard.ShardCut;
import java.io.IOException;

/** Finds the newest cut of the graph that a training runs on. */
@FunctionalInterface
public interface CutSource {
    /**
     * Returns the newest cut.
     *
     * @throws IOException if the cut cannot be read; the message is meant for users
     */
    ShardCut latest() throws IOException, InterruptedException;

    /** Returns the only cut of a graph that does not change. */
    static CutSource fixed(int shards) {
        ShardCut only = ShardCut.only(shards);
        return () -> only;
    }
}
