package io.cutwater.state.partition;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;

/**
 * Runs a partitioner over batches of edges and keeps the tables: the one loop that the job, the reference run and the
 * comparison share.
 */
public final class EdgeAssigner {
    private final EdgePartitioner partitioner;
    private final VertexTable vertices;
    private final PartitionLoads loads;
    private final int placingPass;

    /** @throws IllegalArgumentException if the tables are for another k or lack the final degrees that are needed */
    public EdgeAssigner(EdgePartitioner partitioner, VertexTable vertices, PartitionLoads loads) {
        if (vertices.layout().partitionCount() != loads.partitionCount()) {
            throw new IllegalArgumentException("the vertex table is for %d partitions, the loads are for %d"
                    .formatted(vertices.layout().partitionCount(), loads.partitionCount()));
        }
        if (partitioner.needsFinalDegrees() && !vertices.layout().hasFinalDegrees()) {
            throw new IllegalArgumentException(
                    "the partitioner needs final degrees: give the vertex table a layout that has them");
        }
        this.partitioner = partitioner;
        this.vertices = vertices;
        this.loads = loads;
        placingPass = partitioner.preparationPasses();
    }

    /** Whether the edges of a pass are placed, or only looked at. */
    public boolean isPlacing(int pass) {
        return pass >= placingPass;
    }

    /** Shows the edges of a batch of a preparation pass, whose number the batch has, to the partitioner. */
    public void observe(EdgeBatch batch) {
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        int size = batch.size();
        vertices.expect(sources, targets, size);
        for (int i = 0; i < size; i++) {
            int source = vertices.slot(sources[i]);
            int target = sources[i] == targets[i] ? source : vertices.slot(targets[i], source);
            partitioner.observe(batch.pass(), vertices, source, target);
        }
    }

    /**
     * Places the edges of a batch in their order.
     *
     * @param partitions receives the partition of each edge; at least as long as the batch
     */
    public void place(EdgeBatch batch, int[] partitions) {
        EdgePartitioner partitioner = this.partitioner;
        VertexTable vertices = this.vertices;
        PartitionLoads loads = this.loads;
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        int size = batch.size();
        vertices.expect(sources, targets, size);
        for (int i = 0; i < size; i++) {
            int source = vertices.slot(sources[i]);
            int target = sources[i] == targets[i] ? source : vertices.slot(targets[i], source);
            vertices.countEdge(source);
            vertices.countEdge(target);
            int partition = partitioner.place(vertices, source, target, loads);
            loads.addEdge(partition);
            vertices.addReplica(source, partition, loads);
            vertices.addReplica(target, partition, loads);
            partitions[i] = partition;
        }
    }
}
