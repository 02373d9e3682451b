package io.cutwater.state.repartition;

import io.cutwater.state.quality.Quality;

/**
 * The effects of a re-partitioning.
 *
 * @param edges of the graph, duplicates and self-loops counted
 * @param edgesToMove edges that change their shard, summed over the moves: one for each edge that moves; for a vertex
 *     that moves as many as it has, so that an edge both of whose ends move counts twice
 * @param moves number of moves
 * @param before current quality, for the current k
 * @param expected quality after all moves, for the wanted k; for the current k if the budget does not suffice to empty
 *     the removed partitions
 */
public record RepartitionPlan(long edges, long edgesToMove, long moves, Quality before, Quality expected) {}
