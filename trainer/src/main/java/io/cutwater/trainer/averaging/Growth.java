package io.cutwater.trainer.averaging;

import io.cutwater.trainer.shard.ShardCut;
import java.io.IOException;

/**
 * How a training goes along with its graph.
 *
 * @param cuts says how far the graph is
 */
public record Growth(Merging merging, Cuts cuts) {
    /** Says how far the graph is. */
    @FunctionalInterface
    public interface Cuts {
        /** The newest cut. */
        ShardCut latest() throws IOException, InterruptedException;
    }

    /** Of a graph that does not grow. */
    public static Growth none(int shards) {
        ShardCut only = ShardCut.only(shards);
        return new Growth(Merging.NEVER, () -> only);
    }
}
