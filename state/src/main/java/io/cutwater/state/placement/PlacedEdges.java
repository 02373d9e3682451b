package io.cutwater.state.placement;

import io.cutwater.state.graph.EdgeBatch;

/** Receives placed edges in order, and later changes of the shards. */
public interface PlacedEdges {
    /**
     * Receives a placed edge.
     *
     * @param weight {@link Double#NaN} for none
     * @param timestamp {@link EdgeBatch#NO_TIMESTAMP} for none
     * @param key {@link EdgeBatch#NO_KEY} for none
     * @param place the partitions of its ends, see {@link io.cutwater.state.graph.Place}; the edge goes to the shards
     *     of both
     */
    void placed(long source, long target, double weight, long timestamp, long key, int place);

    /**
     * Takes an edge that enters or leaves a shard. The order of the changes of a shard counts.
     *
     * @param shard 0 to k − 1
     * @param place the partitions of its ends, see {@link io.cutwater.state.graph.Place}
     */
    default void changed(
            ShardChange change,
            long source,
            long target,
            double weight,
            long timestamp,
            long key,
            int shard,
            int place) {
        throw new UnsupportedOperationException("this receiver takes placed edges only: " + change);
    }
}
