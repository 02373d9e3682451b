package io.cutwater.state.graph.synthetic;

import io.cutwater.state.graph.EdgeBatch;

/** An endless sequence of edges. */
interface EdgeGenerator {
    void appendNext(EdgeBatch batch);
}
