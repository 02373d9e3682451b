package io.cutwater.state.partition;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexListener;
import io.cutwater.state.table.VertexStore;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;

/** A graph placed by a partitioner from the first pass to the last: the partitions, and the tables at the end. */
record Placement(int[] partitions, VertexTable vertices, PartitionLoads loads) {

    static Placement of(EdgeBatch graph, PartitionerOptions options) {
        return of(graph, options, EdgeBatch.DEFAULT_CAPACITY, VertexStore.NONE, Long.MAX_VALUE);
    }

    static Placement of(EdgeBatch graph, PartitionerOptions options, int batchSize, VertexStore store, long maxBytes) {
        return of(graph, EdgePartitioners.create(options), options.partitionCount(), batchSize, store, maxBytes);
    }

    static Placement of(
            EdgeBatch graph,
            EdgePartitioner partitioner,
            int partitionCount,
            int batchSize,
            VertexStore store,
            long maxBytes) {
        VertexLayout layout = new VertexLayout(partitionCount, partitioner.needsFinalDegrees());
        VertexTable vertices = new VertexTable(layout, store, maxBytes, 0, VertexListener.NONE);
        PartitionLoads loads = new PartitionLoads(partitionCount);
        EdgeAssigner assigner = new EdgeAssigner(partitioner, vertices, loads);
        int[] partitions = new int[graph.size()];
        Arrays.fill(partitions, -1);
        for (int pass = 0; pass <= partitioner.preparationPasses(); pass++) {
            for (int from = 0; from < graph.size(); from += batchSize) {
                EdgeBatch batch = slice(graph, from, Math.min(graph.size(), from + batchSize), pass);
                if (assigner.isPlacing(pass)) {
                    int[] placed = new int[batch.size()];
                    assigner.place(batch, placed);
                    System.arraycopy(placed, 0, partitions, from, placed.length);
                } else {
                    assigner.observe(batch);
                }
            }
        }
        return new Placement(partitions, vertices, loads);
    }

    static EdgeBatch slice(EdgeBatch graph, int from, int to, int pass) {
        EdgeBatch batch = new EdgeBatch(to - from + 1).setPass(pass);
        for (int i = from; i < to; i++) {
            batch.addFrom(graph, i);
        }
        return batch;
    }
}
