package io.cutwater.flink.types;

/**
 * Where a vertex is now.
 *
 * @param partitions that have it, ascending; none if the vertex has left the graph
 */
@SuppressWarnings("ArrayRecordComponent") // one element of a stream, compared by nobody
public record VertexReplicas(long vertex, int[] partitions) {}
