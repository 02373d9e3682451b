package io.cutwater.state.rule;

/** A rule for a stream without end: it answers where an edge goes, or which partition owns a vertex. */
public sealed interface LiveRule permits EdgePartitioner, VertexRule {}
