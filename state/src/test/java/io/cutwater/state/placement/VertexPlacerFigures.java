package io.cutwater.state.placement;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints the table of live vertex partitioning of {@code deploy/docs/reference/benchmarks-quality.md}. */
final class VertexPlacerFigures {
    private static final List<String> FILES = List.of(
            "amazon-computers/edges.txt.gz",
            "amazon-computers/edges.rnd.txt.gz",
            "musae-facebook/edges.txt.gz",
            "musae-facebook/edges.rnd.txt.gz",
            "cit-hepph/edges.time.txt.gz",
            "cit-hepph/edges.rnd.txt.gz",
            "soc-slashdot0902/edges.txt.gz",
            "soc-slashdot0902/edges.rnd.txt.gz",
            "uk-2007-05-100k/edges.txt.gz",
            "uk-2007-05-100k/edges.rnd.txt.gz");

    private VertexPlacerFigures() {}

    /** @param args parts of the names of the graphs that are wanted; none for all */
    public static void main(String... args) {
        for (String file : FILES) {
            if (args.length > 0 && List.of(args).stream().noneMatch(file::contains)) {
                continue;
            }
            EdgeBatch graph = SharedGraph.read("data/" + file);
            for (int k : new int[] {8, 32}) {
                print(file, graph, k, "hash", Map.of());
                for (String algorithm : List.of("ldg", "fennel", "cutwater")) {
                    print(file, graph, k, algorithm, Map.of("window", "10000"));
                    print(file, graph, k, algorithm, Map.of());
                }
            }
        }
    }

    private static void print(String file, EdgeBatch graph, int k, String algorithm, Map<String, String> settings) {
        PartitionerOptions options =
                PartitionerOptions.ofVertices(algorithm, k, Algorithms.DEFAULT_SEED, PassMode.LIVE, settings);
        PartitionLoads loads = new PartitionLoads(k);
        VertexTable vertices = new VertexTable(
                Algorithms.get(PartitioningKind.VERTEX, options.algorithm()).layout(options));
        Placement assigner = new Placement(Algorithms.vertexRule(options), vertices, loads);
        PlacedEdges unread = (source, target, weight, timestamp, key, partition) -> {};
        long start = cpuNanos();
        EdgeBatch batch = new EdgeBatch();
        for (int i = 0; i < graph.size(); i++) {
            batch.addFrom(graph, i);
            if (batch.size() == EdgeBatch.DEFAULT_CAPACITY || i + 1 == graph.size()) {
                assigner.accept(batch, unread);
                batch.clear();
            }
        }
        assigner.placeHeld(unread);
        double seconds = (cpuNanos() - start) / 1e9;
        Quality quality = assigner.quality(0);
        System.out.printf(
                Locale.ROOT,
                "%s, k %d, %s %s: cut %.3f, vertex balance %.2f, volume balance %.2f, RF %.2f; %.2f M edges/s CPU%n",
                file,
                k,
                algorithm,
                settings,
                quality.edgeCutRatio().orElseThrow(),
                quality.vertexBalance(),
                quality.volumeBalance().orElseThrow(),
                quality.replicationFactor(),
                graph.size() / seconds / 1e6);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
