package io.cutwater.flink.checkpoint;

/**
 * Key of one row of a vertex's kept edges.
 *
 * @param isOutgoing whether the edges lead to the neighbour or from it
 * @param number of the row among those of the same edges, at least 0
 */
record RowKey(long neighbour, boolean isOutgoing, int number) {}
