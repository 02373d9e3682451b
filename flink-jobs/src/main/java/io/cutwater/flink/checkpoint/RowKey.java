package io.cutwater.flink.checkpoint;

/**
 * One of a vertex's rows of kept edges.
 *
 * @param isOutgoing whether the edges lead to the neighbour, or from it
 */
record RowKey(long neighbour, boolean isOutgoing) {}
