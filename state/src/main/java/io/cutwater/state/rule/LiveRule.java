package io.cutwater.state.rule;

import io.cutwater.state.PublicApi;
import io.cutwater.state.table.VertexLayout;

/**
 * A rule for a stream without end: it answers on which partition an edge goes, or which partition owns a vertex. The
 * engine ({@code io.cutwater.state.placement.Placement}) does everything else.
 */
@PublicApi
public sealed interface LiveRule permits EdgePartitioner, VertexRule {
    /** Returns the columns that the engine and the rule need of each vertex if no edges are kept. */
    VertexLayout layout(int partitionCount);

    /** Returns the number of passes over the whole input before the pass that places. */
    int preparationPasses();

    /**
     * Returns how many edges one of several assigners places before the others begin: a rule for which the first
     * decisions matter needs some that all of them follow.
     */
    default long soloEdges() {
        return 0;
    }
}
