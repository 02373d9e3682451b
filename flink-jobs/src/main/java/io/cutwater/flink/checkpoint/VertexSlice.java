package io.cutwater.flink.checkpoint;

/**
 * Namespace of a list of kept edges.
 *
 * @param slice 0 for the first list of the vertex; see {@link AdjacencyLists} for the others
 */
record VertexSlice(long vertex, int slice) {}
