package io.cutwater.state.plan;

/**
 * What is left of the partitions for clusters that come to what they hold already. The last k clusters of such a graph
 * stand for the partitions: cluster {@code c − k + p} has no vertices, is on p and stays there, and its edges are those
 * from the other clusters to what p holds.
 *
 * @param sizes vertices that each partition can take, from 0 on
 * @param volumes volume that each partition can take, from 0 on
 */
public record PlanRooms(long[] sizes, long[] volumes) {}
