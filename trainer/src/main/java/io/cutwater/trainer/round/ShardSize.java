package io.cutwater.trainer.round;

import io.cutwater.trainer.shard.LabelledShard;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The size of a shard. The sizes of all shards add up: vertices to those of the graph, edges to those without
 * self-loops, where edges between two shards of a vertex partitioning count twice.
 *
 * @param vertices vertices that the shard owns
 * @param edges edges in the shard
 */
public record ShardSize(long vertices, long edges) {
    public static final ShardSize NOTHING = new ShardSize(0, 0);

    /** Returns the size of a shard. */
    public static ShardSize of(LabelledShard store) {
        return new ShardSize(store.ownedCount(), store.neighbourCount() / 2);
    }

    /** Returns the sum of two sizes. */
    public ShardSize plus(ShardSize other) {
        return new ShardSize(vertices + other.vertices, edges + other.edges);
    }

    /** Writes two numbers of 8 bytes. */
    public void write(DataOutput out) throws IOException {
        out.writeLong(vertices);
        out.writeLong(edges);
    }

    /** Reads what {@link #write} wrote. */
    public static ShardSize read(DataInput in) throws IOException {
        return new ShardSize(in.readLong(), in.readLong());
    }
}
