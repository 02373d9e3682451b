package io.cutwater.trainer.shard;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;

/**
 * Where the shards of a graph come from, one cut after the other. May be used by several threads, each with shards of
 * its own.
 */
public interface ShardSource extends Closeable {
    /** What the vertices have now; asked once, before a training begins. */
    DataShape shape() throws IOException, InterruptedException;

    /** The newest cut that there is; always the same one if the graph does not grow. */
    ShardCut latest() throws IOException, InterruptedException;

    /**
     * Tells which shards of a cut are going to be made here, so that what they share is read once for all of them. No
     * shard needs it, and what is told of one cut adds up.
     */
    default void expect(ShardCut cut, Collection<Integer> shards) {}

    /**
     * Makes a shard as it is at a cut.
     *
     * @param shard from 0, below the number of shards of the cut
     * @param folder where mapped files go, without files of another store; the caller removes it when the store is used
     *     no more
     * @throws IOException with a sentence, if the data do not fit each other, or the cut is no longer there
     */
    ShardStore make(int shard, ShardCut cut, Path folder) throws IOException, InterruptedException;
}
