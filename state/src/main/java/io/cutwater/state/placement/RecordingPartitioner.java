package io.cutwater.state.placement;

import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;

/**
 * Stands where every edge was placed before it comes, so that no rule is needed: tables are kept, nothing is chosen.
 */
public final class RecordingPartitioner implements EdgePartitioner {
    /** @throws IllegalStateException always */
    @Override
    public int place(VertexTable vertices, int source, int target, PartitionLoads loads) {
        throw new IllegalStateException("edge (%d, %d) comes without the place that it should have been given before"
                .formatted(vertices.vertex(source), vertices.vertex(target)));
    }
}
