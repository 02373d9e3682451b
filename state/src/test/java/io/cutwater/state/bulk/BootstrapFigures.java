package io.cutwater.state.bulk;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Prints the table of live placement after bulk passes of {@code deploy/docs/reference/benchmarks-quality.md}. */
final class BootstrapFigures {
    private static final int K = 32;
    static final double HISTORY = 0.6;
    private static final PartitionerOptions LIVE = PartitionerOptions.ofEdges("cutwater", K, Algorithms.DEFAULT_SEED);
    private static final PartitionerOptions BULK =
            Algorithms.get(PartitioningKind.EDGE, LIVE.algorithm()).beforeLive(LIVE);
    private static final PlacedEdges UNREAD = (source, target, weight, timestamp, key, partition) -> {};

    private BootstrapFigures() {}

    public static void main(String... args) throws Exception {
        for (String graph : args) {
            EdgeBatch edges = SharedGraph.read(graph);
            int history = (int) (HISTORY * edges.size());
            print(graph, "live", quality(edges, 0));
            print(graph, "60 % bulk, then live", quality(edges, history));
            print(graph, "bulk", quality(edges, edges.size()));
        }
    }

    /** Returns the quality of a placement whose first edges are placed in bulk, and the others live. */
    static Quality quality(EdgeBatch edges, int history) throws Exception {
        EdgePartitioner partitioner = Algorithms.edgePartitioner(LIVE);
        PartitionLoads loads = new PartitionLoads(K);
        Placement assigner = new Placement(partitioner, new VertexTable(partitioner.layout(K)), loads);
        assigner.accept(placed(part(edges, 0, history)), UNREAD);
        assigner.accept(part(edges, history, edges.size()), UNREAD);
        assigner.placeHeld(UNREAD);
        return Quality.of(loads, 0);
    }

    private static EdgeBatch placed(EdgeBatch edges) throws Exception {
        if (!edges.isEmpty()) {
            Path scratch = Files.createTempDirectory("bootstrap");
            try (BulkRun run = BulkRun.create(new BulkRequest(BULK, null), scratch)) {
                run.add(edges);
                run.place(BulkProgress.NONE);
                try (PlacedInput places = run.places(0)) {
                    places.fill(edges);
                }
            }
        }
        return edges;
    }

    private static EdgeBatch part(EdgeBatch edges, int from, int to) {
        EdgeBatch part = new EdgeBatch(Math.max(1, to - from));
        for (int i = from; i < to; i++) {
            part.addFrom(edges, i);
        }
        return part;
    }

    private static void print(String graph, String way, Quality quality) {
        System.out.printf(
                Locale.ROOT,
                "%s, %s: RF %.3f, edge balance %.3f, vertex balance %.3f%n",
                graph,
                way,
                quality.replicationFactor(),
                quality.edgeBalance().orElseThrow(),
                quality.vertexBalance());
    }
}
