package io.cutwater.state.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.table.PartitionLoads;
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
        VertexTable vertices =
                new VertexTable(partitioner.layout(partitionCount), store, maxBytes, 0, VertexListener.NONE);
        PartitionLoads loads = new PartitionLoads(partitionCount);
        EdgeAssigner assigner = new EdgeAssigner(partitioner, vertices, loads);
        int[] partitions = new int[graph.size()];
        Arrays.fill(partitions, -1);
        for (int pass = 0; pass <= partitioner.preparationPasses(); pass++) {
            for (int from = 0; from < graph.size(); from += batchSize) {
                EdgeBatch batch = slice(graph, from, Math.min(graph.size(), from + batchSize), pass);
                assigner.accept(batch, (source, target, weight, index, partition) -> {
                    assertThat(partitions[(int) index])
                            .as("edge %d is placed once", index)
                            .isEqualTo(-1);
                    partitions[(int) index] = partition;
                });
            }
        }
        assigner.placeHeld((source, target, weight, index, partition) -> partitions[(int) index] = partition);
        return new Placement(partitions, vertices, loads);
    }

    /**
     * Edges {@code from} to {@code to}; the timestamp of each is its number, by which it is known when it is placed.
     */
    static EdgeBatch slice(EdgeBatch graph, int from, int to, int pass) {
        EdgeBatch batch = new EdgeBatch(to - from + 1).setPass(pass);
        for (int i = from; i < to; i++) {
            batch.add(graph.source(i), graph.target(i), Double.NaN, i);
        }
        return batch;
    }
}
