package io.cutwater.state.algorithm;

import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;

/** The rule of a job whose source has placed every edge: the engine keeps its tables, and nothing is chosen. */
final class RecordingPartitioner implements EdgePartitioner {
    /** @throws IllegalStateException always */
    @Override
    public int place(VertexColumns vertices, int source, int target, PartitionLoads loads) {
        throw new IllegalStateException("edge (%d, %d) has no place, but a bulk run should have placed it"
                .formatted(vertices.vertex(source), vertices.vertex(target)));
    }

    /** The source that places the edges is one task. */
    @Override
    public boolean needsOneAssigner() {
        return true;
    }

    @Override
    public boolean canChangePartitions() {
        return true;
    }
}
