package io.cutwater.state.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.store.VertexStore;
import io.cutwater.state.table.MapVertexStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;

/**
 * A graph placed by an edge partitioner from the first pass to the last, in memory.
 *
 * @param partitions of each edge, in the order of the graph
 * @param vertices what is known of them at the end
 * @param loads of the partitions at the end
 */
public record WholePlacement(int[] partitions, VertexTable vertices, PartitionLoads loads) {
    private static final int NOWHERE = -1;
    static final long ONE_BYTE = 1; // the smallest cache there is: 16 vertices

    /** Places a graph with the partitioner of that name. */
    public static WholePlacement of(EdgeBatch graph, PartitionerOptions options) {
        return of(graph, options, EdgeBatch.DEFAULT_CAPACITY, VertexStore.NONE, Long.MAX_VALUE);
    }

    /** Places in batches of another size, with a cache of so many bytes before a store. */
    public static WholePlacement of(
            EdgeBatch graph, PartitionerOptions options, int batchSize, VertexStore store, long maxBytes) {
        return of(graph, Algorithms.edgePartitioner(options), options.partitionCount(), batchSize, store, maxBytes);
    }

    /** Places with a partitioner that is not registered. */
    public static WholePlacement of(
            EdgeBatch graph,
            EdgePartitioner partitioner,
            int partitionCount,
            int batchSize,
            VertexStore store,
            long maxBytes) {
        VertexTable vertices =
                new VertexTable(partitioner.layout(partitionCount), store, maxBytes, 0, VertexTable.Listener.NONE);
        PartitionLoads loads = new PartitionLoads(partitionCount);
        Placement assigner = new Placement(partitioner, vertices, loads);
        int[] partitions = new int[graph.size()];
        Arrays.fill(partitions, NOWHERE);
        PlacedEdges placed = into(partitions);
        for (int pass = 0; pass <= partitioner.preparationPasses(); pass++) {
            for (int from = 0; from < graph.size(); from += batchSize) {
                assigner.accept(slice(graph, from, Math.min(graph.size(), from + batchSize), pass), placed);
            }
        }
        assigner.placeHeld(placed);
        return new WholePlacement(partitions, vertices, loads);
    }

    /**
     * Places with a crash after so many edges of all passes, after which only the state of a checkpoint remains.
     *
     * @param crash 0 to passes · edges
     */
    static int[] restoredAfter(int crash, EdgeBatch graph, PartitionerOptions options) {
        EdgePartitioner first = Algorithms.edgePartitioner(options);
        VertexLayout layout = first.layout(options.partitionCount());
        MapVertexStore store = new MapVertexStore();
        VertexTable vertices = new VertexTable(layout, store, ONE_BYTE, 0, VertexTable.Listener.NONE);
        PartitionLoads loads = new PartitionLoads(options.partitionCount());
        Placement assigner = new Placement(first, vertices, loads);
        int[] partitions = new int[graph.size()];
        Arrays.fill(partitions, NOWHERE);
        PlacedEdges placed = into(partitions);
        read(graph, assigner, 0, crash, placed);
        vertices.flush();

        VertexTable restored =
                new VertexTable(layout, store, Long.MAX_VALUE, vertices.vertexCount(), VertexTable.Listener.NONE);
        PartitionLoads restoredLoads = new PartitionLoads(loads.edges(), loads.vertices(), loads.totalVertices());
        EdgePartitioner second = Algorithms.edgePartitioner(options);
        Placement restoredAssigner = new Placement(second, restored, restoredLoads);
        restoredAssigner.restore(assigner.snapshot(), assigner.heldEdges());
        read(graph, restoredAssigner, crash, (second.preparationPasses() + 1) * graph.size(), placed);
        restoredAssigner.placeHeld(placed);
        return partitions;
    }

    /** Shows edges {@code from} to {@code to} of all passes together to an assigner. */
    private static void read(EdgeBatch graph, Placement assigner, int from, int to, PlacedEdges placed) {
        for (int at = from; at < to; ) {
            int pass = at / graph.size();
            int end = Math.min(to, (pass + 1) * graph.size());
            assigner.accept(slice(graph, at - pass * graph.size(), end - pass * graph.size(), pass), placed);
            at = end;
        }
    }

    private static PlacedEdges into(int[] partitions) {
        return (source, target, weight, index, key, place) -> {
            assertThat(partitions[(int) index])
                    .as("edge %d is placed once", index)
                    .isEqualTo(NOWHERE);
            partitions[(int) index] = Place.ofSource(place);
        };
    }

    /**
     * Edges {@code from} to {@code to}; the timestamp of each is its number, by which it is known when it is placed.
     */
    public static EdgeBatch slice(EdgeBatch graph, int from, int to, int pass) {
        EdgeBatch batch = new EdgeBatch(to - from + 1).setPass(pass);
        for (int i = from; i < to; i++) {
            batch.add(graph.source(i), graph.target(i), Double.NaN, i);
        }
        return batch;
    }
}
