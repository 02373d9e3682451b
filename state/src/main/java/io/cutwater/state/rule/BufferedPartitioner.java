package io.cutwater.state.rule;

import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;

/**
 * A partitioner whose edges may wait. An edge of which neither end has a replica waits in a bounded window; when one of
 * them gets its first replica, the edges that wait there are placed, newest vertices first, which may release more.
 * When the window is full, its oldest edge is placed.
 *
 * <p>Degrees count an edge when it comes, replicas and loads when it is placed.
 */
public interface BufferedPartitioner extends EdgePartitioner {
    /** How many edges may wait, at least 1. */
    int windowSize();

    /** Learns from an edge: when it comes and, if it had to wait, again when a replica at one end has released it. */
    void learn(VertexTable vertices, int source, int target);

    /** Prepares an edge that waited in vain to be placed next: neither end has a replica still. */
    void giveUpWaiting(VertexTable vertices, int source, int target, PartitionLoads loads);
}
