package io.cutwater.trainer.shard;

import io.cutwater.state.partition.PartitioningKind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;

/** A source of the shards of a graph, one cut after the other. Thread-safe for threads that build different shards. */
public interface ShardSource extends Closeable {
    /** Returns the current shape of the vertices; called once before a training begins. */
    DataShape shape() throws IOException, InterruptedException;

    /** Returns what the shards divide: the edges of the graph, or its vertices. */
    PartitioningKind kind() throws IOException, InterruptedException;

    /** Returns the newest cut, which is always the same one for a graph that does not grow. */
    ShardCut latest() throws IOException, InterruptedException;

    /**
     * Announces shards of a cut that are going to be built here, so that shared records are read once for all of them.
     * Optional; announcements for one cut add up.
     */
    default void expect(ShardCut cut, Collection<Integer> shards) {}

    /**
     * Builds a shard at a cut.
     *
     * @param shard number from 0, below the number of shards of the cut
     * @param folder folder for mapped files, without files of another store; the caller deletes it after use
     * @throws IOException if the data are inconsistent or the cut no longer exists; the message is meant for users
     */
    ShardStore make(int shard, ShardCut cut, Path folder) throws IOException, InterruptedException;
}
