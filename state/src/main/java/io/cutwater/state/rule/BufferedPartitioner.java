package io.cutwater.state.rule;

import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;

/**
 * A partitioner with a bounded buffer. An edge is buffered while neither endpoint has a replica. When an endpoint gets
 * its first replica, its buffered edges are placed, which may release more; the newest vertex comes first. When the
 * buffer is full, its oldest edge is placed.
 *
 * <p>Degrees count an edge when it arrives, replicas and loads when it is placed.
 */
public interface BufferedPartitioner extends EdgePartitioner {
    /** Returns the capacity of the buffer in edges, at least 1. */
    int windowSize();

    /** Learns from an edge when it arrives and, if it was buffered, again when a replica releases it. */
    void learn(VertexColumns vertices, int source, int target);

    /** Prepares the oldest edge of a full buffer to be placed; neither endpoint has a replica. */
    void giveUpWaiting(VertexColumns vertices, int source, int target, PartitionLoads loads);
}
