package io.cutwater.state.placement;

import com.sun.management.OperatingSystemMXBean;
import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.algorithm.cutwater.CutwaterBulkOptions;
import io.cutwater.state.algorithm.cutwater.CutwaterBulkPartitioner;
import io.cutwater.state.algorithm.cutwater.CutwaterVertexPartitioner;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.passes.EdgeCounts;
import io.cutwater.state.passes.VertexPassRunner;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.VertexPlacement;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the table of live buffers of {@code deploy/docs/reference/benchmarks-buffers.md}. */
final class JointLoopFigures {
    private static final double IMBALANCE = 0.05;
    private static final String REFINED = "refined=";

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

    /**
     * @param args {@code edge} or {@code vertex}; then {@code refined=SHARE} if edges are kept and so many of those
     *     that come may move; then numbers of partitions, and parts of the names of the graphs that are wanted, none
     *     for all
     */
    public static void main(String... args) {
        PartitioningKind kind = Algorithms.kindOf("cutwater", args.length == 0 ? "" : args[0]);
        boolean isRefined = args.length > 1 && args[1].startsWith(REFINED);
        double share = isRefined ? Double.parseDouble(args[1].substring(REFINED.length())) : 0;
        Map<Boolean, List<String>> wanted = Arrays.stream(args)
                .skip(isRefined ? 2 : 1)
                .collect(Collectors.partitioningBy(arg -> arg.matches("[0-9]+")));
        List<String> names = wanted.get(false);
        List<String> partitionCounts = wanted.get(true).isEmpty() ? List.of("4", "8", "16", "32") : wanted.get(true);
        for (String file : FILES) {
            if (!names.isEmpty() && names.stream().noneMatch(file::contains)) {
                continue;
            }
            EdgeBatch graph = SharedGraph.read("data/" + file);
            for (String partitions : partitionCounts) {
                int k = Integer.parseInt(partitions);
                double bulk = kind == PartitioningKind.EDGE ? bulk(file, graph, k) : bulkCut(file, graph, k);
                print(kind, share, file, graph, k, bulk, "window", kind == PartitioningKind.EDGE ? 10_000 : 50_000);
                print(kind, share, file, graph, k, bulk, "buffer", 10_000);
                for (int percent : new int[] {1, 10, 50}) {
                    print(kind, share, file, graph, k, bulk, "buffer", Math.max(1, graph.size() * percent / 100));
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

    /** Returns the share of edges that are cut in bulk. */
    private static double bulkCut(String file, EdgeBatch edges, int k) {
        AdjacencyGraph graph = AdjacencyGraph.of(edges);
        PartitionerOptions options =
                PartitionerOptions.ofVertices("cutwater", k, Algorithms.DEFAULT_SEED, PassMode.BULK, Map.of());
        VertexPlacement placement = VertexPassRunner.place(
                graph,
                new CutwaterVertexPartitioner(options, new GraphSize(graph.vertexCount(), graph.edgeCount())),
                k);
        long cut = 0;
        for (int i = 0; i < edges.size(); i++) {
            cut += placement.partition(graph.source(i)) == placement.partition(graph.target(i)) ? 0 : 1;
        }
        double share = (double) cut / edges.size();
        System.out.printf(Locale.ROOT, "%s, k %d, bulk: cut %.3f%n", file, k, share);
        return share;
    }

    private static void print(
            PartitioningKind kind,
            double share,
            String file,
            EdgeBatch edges,
            int k,
            double bulk,
            String setting,
            int size) {
        Map<String, String> settings = Map.of(setting, Integer.toString(size));
        Placement placement = share > 0 ? RefinementFigures.recorded(kind, k, settings) : unrecorded(kind, k, settings);
        if (share > 0) {
            placement.refine(share);
        }
        long start = cpuNanos();
        EdgeBatch batch = new EdgeBatch();
        for (int i = 0; i < edges.size(); i++) {
            batch.addFrom(edges, i);
            if (batch.size() == EdgeBatch.DEFAULT_CAPACITY || i + 1 == edges.size()) {
                placement.accept(batch, RefinementFigures.UNREAD);
                batch.clear();
            }
        }
        placement.placeHeld(RefinementFigures.UNREAD);
        print(file, k, setting + " " + size, placement.quality(0), bulk, cpuNanos() - start);
    }

    private static Placement unrecorded(PartitioningKind kind, int k, Map<String, String> settings) {
        PartitionerOptions options =
                new PartitionerOptions(kind, "cutwater", k, Algorithms.DEFAULT_SEED, PassMode.LIVE, settings);
        Algorithm algorithm = Algorithms.of(options);
        return algorithm.placement(options, new VertexTable(algorithm.layout(options)), new PartitionLoads(k), null);
    }

    private static double print(String file, int k, String what, Quality quality, double bulk, long nanos) {
        double value = quality.edgeCutRatio().orElse(quality.replicationFactor());
        System.out.printf(
                Locale.ROOT,
                "%s, k %d, %s: %s %.3f, %.3f of bulk, load balance %.3f, vertex balance %.2f; %.2f us an edge of CPU%n",
                file,
                k,
                what,
                quality.edgeCutRatio().isPresent() ? "cut" : "RF",
                value,
                value / bulk,
                quality.volumeBalance().orElse(quality.loadBalance()),
                quality.vertexBalance(),
                nanos / 1e3 / quality.edges());
        return value;
    }

    /** CPU time of the process, since other threads choose places. */
    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
