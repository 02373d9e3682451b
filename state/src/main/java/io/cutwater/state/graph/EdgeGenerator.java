package io.cutwater.state.graph;

/** An endless sequence of edges. */
interface EdgeGenerator {
    void appendNext(EdgeBatch batch);
}
