package io.cutwater.state.algorithm;

import io.cutwater.state.rule.NeighbourCounts;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.rule.VertexRule;

/** Stands where every edge comes with the owners of its ends, so that no rule is needed. */
final class RecordedOwners implements VertexRule {
    @Override
    public int windowSize() {
        return 0;
    }

    /** @throws IllegalStateException always */
    @Override
    public int owner(long vertex, int degree, NeighbourCounts counts, OwnerLoads loads) {
        throw new IllegalStateException(
                "an edge at vertex %d comes without the owners that it should have been given before"
                        .formatted(vertex));
    }
}
