package io.cutwater.state.placement;

import io.cutwater.state.graph.EdgeBatch;

/** Receives placed edges in order, and later changes of the shards. */
public interface PlacedEdges {
    /**
     * Receives a placed edge.
     *
     * @param weight {@link Double#NaN} for none
     * @param timestamp {@link EdgeBatch#NO_TIMESTAMP} for none
     * @param partition 0 to k − 1
     */
    void placed(long source, long target, double weight, long timestamp, int partition);

    /**
     * An edge of a vertex partitioning has the owners of its ends, and so its places: one, or two if it is cut.
     *
     * @param ofSource owner of the source, 0 to k − 1
     * @param ofTarget owner of the target
     */
    default void placed(long source, long target, double weight, long timestamp, int ofSource, int ofTarget) {
        placed(source, target, weight, timestamp, ofSource);
        if (ofTarget != ofSource) {
            placed(source, target, weight, timestamp, ofTarget);
        }
    }

    /**
     * All edges of a batch have theirs, in the order of the batch.
     *
     * @param partitions of each edge; at least as long as the batch
     */
    default void placed(EdgeBatch batch, int[] partitions) {
        for (int i = 0; i < batch.size(); i++) {
            placed(batch.source(i), batch.target(i), batch.weight(i), batch.timestamp(i), partitions[i]);
        }
    }

    /**
     * An edge enters or leaves a shard. Of the changes of a shard the order counts.
     *
     * @param shard 0 to k − 1
     * @param owners in a vertex partitioning the owners of both ends, see {@link io.cutwater.state.graph.OwnerPair};
     *     {@link EdgeBatch#NO_PLACE} in an edge partitioning
     */
    default void changed(
            ShardChange change, long source, long target, double weight, long timestamp, int shard, int owners) {
        throw new UnsupportedOperationException("edges only come to this receiver: " + change);
    }
}
