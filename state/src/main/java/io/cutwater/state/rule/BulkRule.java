package io.cutwater.state.rule;

import io.cutwater.state.PublicApi;

/**
 * A rule for an input that ends. An {@link EdgePartitioner} reads it as a stream, in one pass or several; the others
 * read it as a graph.
 */
@PublicApi
public sealed interface BulkRule permits EdgePartitioner, GraphPartitioner, VertexPartitioner {}
