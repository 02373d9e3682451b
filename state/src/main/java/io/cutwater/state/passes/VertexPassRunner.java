package io.cutwater.state.passes;

import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.graph.VertexPass;
import io.cutwater.state.partition.TrainingVertices;
import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.rule.VertexPlacement;
import org.jspecify.annotations.Nullable;

/** Runs a vertex partitioner over a graph, as many passes as it asks for. */
public final class VertexPassRunner {
    private VertexPassRunner() {}

    /** The place of every vertex of the graph. */
    public static VertexPlacement place(BoundedGraph graph, VertexPartitioner partitioner, int partitionCount) {
        return place(graph, partitioner, partitionCount, null);
    }

    /** Places all vertices, and spreads training vertices; null for none. */
    public static VertexPlacement place(
            BoundedGraph graph,
            VertexPartitioner partitioner,
            int partitionCount,
            @Nullable TrainingVertices training) {
        return place(graph, partitioner, VertexPlacement.of(graph, partitionCount, training), new int[0]);
    }

    /**
     * Places all vertices.
     *
     * @param placement without a vertex of the graph
     * @param otherDegrees edges of each vertex that the graph lacks; empty for none
     */
    public static VertexPlacement place(
            BoundedGraph graph, VertexPartitioner partitioner, VertexPlacement placement, int[] otherDegrees) {
        for (int number = 0; ; number++) {
            switch (partitioner.pass(number, placement)) {
                case EDGES -> observeEdges(graph, partitioner);
                case VERTICES -> observeVertices(graph, partitioner);
                case PLACE -> placeAll(graph, partitioner, placement, otherDegrees);
                case DONE -> {
                    return placement;
                }
            }
        }
    }

    private static void observeEdges(BoundedGraph graph, VertexPartitioner partitioner) {
        try (EdgePass edges = graph.edges()) {
            while (edges.next()) {
                partitioner.observeEdge(edges.source(), edges.target());
            }
        }
    }

    private static void observeVertices(BoundedGraph graph, VertexPartitioner partitioner) {
        try (VertexPass vertices = graph.vertices()) {
            while (vertices.next()) {
                partitioner.observe(vertices.vertex(), vertices.neighbours(), vertices.from(), vertices.to());
            }
        }
    }

    private static void placeAll(
            BoundedGraph graph, VertexPartitioner partitioner, VertexPlacement placement, int[] otherDegrees) {
        try (VertexPass vertices = GraphPart.vertices(graph, placement::exchange)) {
            while (vertices.next()) {
                int vertex = vertices.vertex();
                int from = vertices.from();
                int to = vertices.to();
                int partition = partitioner.place(vertex, vertices.neighbours(), from, to, placement);
                if (partition != VertexPartitioner.LATER) {
                    int other = otherDegrees.length == 0 ? 0 : otherDegrees[vertex];
                    placement.put(vertex, to - from + other, partition);
                }
            }
        }
    }
}
