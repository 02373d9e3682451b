package io.cutwater.flink.checkpoint;

/**
 * One of a vertex's rows of kept edges.
 *
 * @param isOutgoing whether the edges lead to the neighbour, or from it
 * @param number of the row among those of the same edges, at least 0
 */
record RowKey(long neighbour, boolean isOutgoing, int number) {}
