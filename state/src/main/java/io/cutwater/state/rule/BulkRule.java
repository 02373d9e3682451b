package io.cutwater.state.rule;

/**
 * A rule for an input that ends. An {@link EdgePartitioner} reads it as a stream, in one pass or several; the others
 * read it as a graph.
 */
public sealed interface BulkRule permits EdgePartitioner, GraphPartitioner, VertexPartitioner {}
