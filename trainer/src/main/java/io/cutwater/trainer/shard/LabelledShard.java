package io.cutwater.trainer.shard;

import io.cutwater.format.VertexSplit;

/** The part of a shard that its trainer reads: sizes, and what is known of the vertices that the shard owns. */
public interface LabelledShard {
    /** Returns the number of the shard. */
    int shard();

    /** Returns the number of vertices that the shard owns. These have the lowest local numbers. */
    int ownedCount();

    /** Returns the number of endpoints of edges in the shard, without self-loops. */
    long neighbourCount();

    /** Returns the class of a vertex that the shard owns; −1 for no class. */
    int label(int local);

    /** Returns the split of a vertex that the shard owns. */
    VertexSplit split(int local);
}
