package io.cutwater.state.repartition;

import io.cutwater.state.quality.Quality;

/**
 * The effects of a re-partitioning.
 *
 * @param edges of the graph, duplicates and self-loops counted
 * @param edgesToMove edges that change their shard, summed over the moves: one for each edge that moves; for a vertex
 *     that moves as many as it has, so that an edge both of whose ends move counts twice
 * @param moves how many there are
 * @param before quality of the placement as it is, of as many partitions as there are now
 * @param expected quality after all moves; of the partitions that are wanted, or, while partitions that are to go still
 *     hold something for want of budget, of those that there are now
 */
public record RepartitionPlan(long edges, long edgesToMove, long moves, Quality before, Quality expected) {}
