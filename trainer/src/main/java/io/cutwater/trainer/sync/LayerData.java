package io.cutwater.trainer.sync;

import io.cutwater.trainer.sampler.Chunk;
import java.io.IOException;

/**
 * The inputs and results of the layers of a network for the vertices at home in a shard, of which each position is one.
 * Those that the shard owns come first, in the order of local numbers. Used by one thread.
 */
public interface LayerData {
    /**
     * Returns the number of positions to compute.
     *
     * @param isLast whether it is the last layer, whose results only owned vertices need
     */
    int count(boolean isLast);

    /**
     * Returns some vertices with all their neighbours in the whole graph.
     *
     * @param from first position
     * @throws IllegalStateException if another shard fails; the message is meant for users
     */
    Chunk read(int layer, int from) throws IOException, InterruptedException;

    /** Takes back a chunk that is no longer read. */
    void giveBack(Chunk chunk);

    /**
     * Keeps results of a layer but the last, which other shards then read.
     *
     * @param from position of the first row
     * @param rows one row per position
     */
    void keep(int layer, int from, float[] rows) throws IOException, InterruptedException;

    /** Waits until all that was kept can be read by others. */
    void awaitKept() throws IOException, InterruptedException;
}
