package io.cutwater.state.placement;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.algorithm.cutwater.CutwaterBulkOptions;
import io.cutwater.state.algorithm.cutwater.CutwaterBulkPartitioner;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.passes.EdgeCounts;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints the table of live buffers of {@code deploy/docs/reference/benchmarks.md}. */
final class JointLoopFigures {
    private static final double IMBALANCE = 0.05;

    private static final List<String> FILES = List.of(
            "planetoid-cora/edges.txt.gz",
            "planetoid-cora/edges.rnd.txt.gz",
            "planetoid-citeseer/edges.txt.gz",
            "planetoid-citeseer/edges.rnd.txt.gz",
            "coauthor-cs/edges.txt.gz",
            "coauthor-cs/edges.rnd.txt.gz",
            "musae-facebook/edges.txt.gz",
            "musae-facebook/edges.rnd.txt.gz",
            "amazon-computers/edges.txt.gz",
            "amazon-computers/edges.rnd.txt.gz",
            "sx-mathoverflow/edges.txt.gz",
            "sx-mathoverflow/edges.rnd.txt.gz",
            "sx-mathoverflow/edges.time.txt.gz",
            "cit-hepph/edges.txt.gz",
            "cit-hepph/edges.rnd.txt.gz",
            "cit-hepph/edges.time.txt.gz",
            "soc-slashdot0902/edges.txt.gz",
            "soc-slashdot0902/edges.rnd.txt.gz",
            "uk-2007-05-100k/edges.txt.gz",
            "uk-2007-05-100k/edges.rnd.txt.gz");

    private JointLoopFigures() {}

    /** @param args parts of the names of the graphs that are wanted; none for all */
    public static void main(String... args) {
        for (String file : FILES) {
            if (args.length > 0 && List.of(args).stream().noneMatch(file::contains)) {
                continue;
            }
            EdgeBatch graph = SharedGraph.read("data/" + file);
            for (int k : new int[] {4, 8, 16, 32}) {
                double bulk = bulk(file, graph, k);
                print(file, graph, k, bulk, "window", 10_000);
                print(file, graph, k, bulk, "buffer", 10_000);
                for (int percent : new int[] {1, 10, 50}) {
                    print(file, graph, k, bulk, "buffer", Math.max(1, graph.size() * percent / 100));
                }
            }
        }
    }

    /** Returns the replication factor in bulk. */
    private static double bulk(String file, EdgeBatch edges, int k) {
        long start = cpuNanos();
        AdjacencyGraph graph = AdjacencyGraph.sorted(edges);
        int[] places = CutwaterBulkPartitioner.place(
                graph, new CutwaterBulkOptions(k, 1 + IMBALANCE, Algorithms.DEFAULT_SEED));
        long nanos = cpuNanos() - start;
        PartitionLoads loads = new PartitionLoads(k);
        EdgeCounts counts = new EdgeCounts(graph.vertexCount());
        try (EdgePass pass = graph.edges()) {
            for (int i = 0; pass.next(); i++) {
                counts.add(pass, places[i], loads);
            }
        }
        return print(file, k, "bulk", Quality.of(loads, 0), Double.NaN, nanos);
    }

    private static void print(String file, EdgeBatch edges, int k, double bulk, String setting, int size) {
        PartitionerOptions options = PartitionerOptions.ofEdges(
                "cutwater", k, Algorithms.DEFAULT_SEED, PassMode.LIVE, Map.of(setting, Integer.toString(size)));
        Algorithm algorithm = Algorithms.of(options);
        Placement placement =
                algorithm.placement(options, new VertexTable(algorithm.layout(options)), new PartitionLoads(k), null);
        PlacedEdges unread = (source, target, weight, timestamp, partition) -> {};
        long start = cpuNanos();
        EdgeBatch batch = new EdgeBatch();
        for (int i = 0; i < edges.size(); i++) {
            batch.addFrom(edges, i);
            if (batch.size() == EdgeBatch.DEFAULT_CAPACITY || i + 1 == edges.size()) {
                placement.accept(batch, unread);
                batch.clear();
            }
        }
        placement.placeHeld(unread);
        print(file, k, setting + " " + size, placement.quality(0), bulk, cpuNanos() - start);
    }

    private static double print(String file, int k, String what, Quality quality, double bulk, long nanos) {
        System.out.printf(
                Locale.ROOT,
                "%s, k %d, %s: RF %.3f, %.3f of bulk, edge balance %.3f, vertex balance %.2f; %.2f us an edge of CPU%n",
                file,
                k,
                what,
                quality.replicationFactor(),
                quality.replicationFactor() / bulk,
                quality.loadBalance(),
                quality.vertexBalance(),
                nanos / 1e3 / quality.edges());
        return quality.replicationFactor();
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
