package io.cutwater.state.placement;

/**
 * A change of an edge in one shard. A shard gains an edge when it enters, and loses it when it leaves, for any reason.
 */
public enum ShardChange {
    /** A new edge of the graph enters. */
    ADD,
    /** An edge leaves, and with it the graph. */
    REMOVE,
    /** An edge enters that a re-partitioning took from another shard, or whose owners it changed. */
    ADOPT,
    /** An edge leaves that a re-partitioning takes to another shard, or whose owners it changes. */
    EVICT;

    /** Returns whether the shard has the edge afterwards. */
    public boolean isEntering() {
        return this == ADD || this == ADOPT;
    }
}
