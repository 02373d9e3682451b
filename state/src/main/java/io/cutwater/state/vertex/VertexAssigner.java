package io.cutwater.state.vertex;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.partition.TrainingVertices;
import org.jspecify.annotations.Nullable;

/** Runs a vertex partitioner over a graph in memory, as many passes as it asks for. */
public final class VertexAssigner {
    private VertexAssigner() {}

    /** The place of every vertex of the graph. */
    public static VertexPlacement place(AdjacencyGraph graph, VertexPartitioner partitioner, int partitionCount) {
        return place(graph, partitioner, partitionCount, null);
    }

    /** The same with training vertices that are to be spread; null for none. */
    public static VertexPlacement place(
            AdjacencyGraph graph,
            VertexPartitioner partitioner,
            int partitionCount,
            @Nullable TrainingVertices training) {
        VertexPlacement placement = new VertexPlacement(partitionCount, graph.vertexCount(), graph::vertex, training);
        for (int number = 0; ; number++) {
            switch (partitioner.pass(number, placement)) {
                case EDGES -> {
                    for (int i = 0; i < graph.edgeCount(); i++) {
                        partitioner.observeEdge(graph.source(i), graph.target(i));
                    }
                }
                case VERTICES -> {
                    int[] neighbours = graph.neighbours();
                    for (int v = 0; v < graph.vertexCount(); v++) {
                        partitioner.observe(v, neighbours, graph.offset(v), graph.offset(v + 1));
                    }
                }
                case PLACE -> placeAll(graph, partitioner, placement);
                case DONE -> {
                    return placement;
                }
            }
        }
    }

    private static void placeAll(AdjacencyGraph graph, VertexPartitioner partitioner, VertexPlacement placement) {
        int[] neighbours = graph.neighbours();
        for (int v = 0; v < graph.vertexCount(); v++) {
            int from = graph.offset(v);
            int to = graph.offset(v + 1);
            int partition = partitioner.place(v, neighbours, from, to, placement);
            if (partition != VertexPartitioner.LATER) {
                placement.put(v, to - from, partition);
            }
        }
    }
}
