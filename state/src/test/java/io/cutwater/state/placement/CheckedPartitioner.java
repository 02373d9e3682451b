package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;
import io.cutwater.state.table.VertexLayout;
import java.util.List;
import java.util.function.Supplier;

/**
 * Checks that a partitioner is shown the loads of the open partitions, and no others.
 *
 * @param edges returns the edges of each open partition
 * @param vertices returns the replicas of each open partition
 */
record CheckedPartitioner(EdgePartitioner rule, Supplier<long[]> edges, Supplier<long[]> vertices)
        implements EdgePartitioner {
    @Override
    public int place(VertexColumns columns, int source, int target, PartitionLoads shown) {
        assertThat(shown.edges()).isEqualTo(edges.get());
        assertThat(shown.vertices()).isEqualTo(vertices.get());
        return rule.place(columns, source, target, shown);
    }

    @Override
    public VertexLayout layout(int partitionCount) {
        return rule.layout(partitionCount);
    }

    @Override
    public void recorded(VertexColumns columns, int source, int target, int partition) {
        rule.recorded(columns, source, target, partition);
    }

    @Override
    public void removed(VertexColumns columns, int source, int target) {
        rule.removed(columns, source, target);
    }

    @Override
    public boolean canChangePartitions() {
        return rule.canChangePartitions();
    }

    @Override
    public List<byte[]> snapshot() {
        return rule.snapshot();
    }

    @Override
    public void restore(List<byte[]> snapshot) {
        rule.restore(snapshot);
    }
}
