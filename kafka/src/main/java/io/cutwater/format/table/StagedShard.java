package io.cutwater.format.table;

import java.nio.file.Path;

/**
 * The staged edges of one shard, with the numbers that the headers of the output need before the first edge.
 *
 * @param edges in the shard
 * @param firstEdges edges that are not the second of two copies, see {@link EdgeFrames#isSecond}
 * @param flags {@link EdgeFrames#WEIGHTS}, {@link EdgeFrames#TIMESTAMPS} and {@link EdgeFrames#KEYS}, if any edge of
 *     the run has one
 */
public record StagedShard(int shard, Path file, long edges, long firstEdges, int flags) {
    public boolean hasWeights() {
        return (flags & EdgeFrames.WEIGHTS) != 0;
    }

    public boolean hasTimestamps() {
        return (flags & EdgeFrames.TIMESTAMPS) != 0;
    }

    public boolean hasKeys() {
        return (flags & EdgeFrames.KEYS) != 0;
    }
}
