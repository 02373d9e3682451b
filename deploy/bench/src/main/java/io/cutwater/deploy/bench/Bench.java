package io.cutwater.deploy.bench;

import io.cutwater.deploy.bench.training.AccuracyBench;
import io.cutwater.deploy.bench.training.AveragingBench;
import io.cutwater.deploy.bench.training.EpochBench;
import io.cutwater.deploy.bench.training.MemoryBench;
import io.cutwater.deploy.bench.training.ModesBench;
import io.cutwater.deploy.bench.training.SamplersBench;
import io.cutwater.deploy.bench.training.StalenessBench;
import io.cutwater.deploy.faults.FaultCampaign;
import io.cutwater.deploy.faults.change.ChangeBench;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.report.PeakMemory;
import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The figures of {@code deploy/docs/reference/benchmarks.md}: one command for each table.
 *
 * <pre>
 *   deploy/bench/run GRAPH [ALGORITHM [PARTITIONS [RUNS]]]               the plain loop over arrays, and the whole job
 *                                                                    (file to staged shards, RocksDB state, checkpoints
 *                                                                    every 10 s) with caches of several sizes
 *   deploy/bench/run growth [ALGORITHM [PARTITIONS [RUNS]]]              {@link GrowthBench}
 *   deploy/bench/run sizes [ALGORITHM]                                   {@link SizeBench}
 *   deploy/bench/run checkpoints GRAPH [ALGORITHM [PARTITIONS]]          {@link CheckpointBench}
 *   deploy/bench/run kafka GRAPH [ALGORITHM [PARTITIONS [RUNS]]]         {@link KafkaBench}
 *   deploy/bench/run texts GRAPH [ALGORITHM [PARTITIONS [RUNS]]]         {@link TextBench}
 *   deploy/bench/run distributed GRAPH [ALGORITHM [PARTITIONS [RUNS [P…]]]] {@link DistributedBench}
 *   deploy/bench/run keep GRAPH [ALGORITHM [PARTITIONS [RUNS]]]          {@link KeepBench}
 *   deploy/bench/run keys GRAPH [ALGORITHM [PARTITIONS [RUNS]]]          {@link KeysBench}
 *   deploy/bench/run move rmat:SCALE:EDGES [ALGORITHM [PARTITIONS]]      {@link MoveBench}
 *   deploy/bench/run bulk GRAPH [ALGORITHM [PARTITIONS [THREADS]]]       {@link BulkBench}, by default of cutwater; of the
 *                                                                    others it measures what is placed as a stream
 *   deploy/bench/run repartition GRAPH [ALGORITHM [PARTITIONS]]          {@link RepartitionBench}, by default of cutwater
 *   deploy/bench/run formats                                             {@link FormatBench}
 *   deploy/bench/run accuracy FOLDER [NAME=VALUE…]                       {@link AccuracyBench}
 *   deploy/bench/run staleness FOLDER [NAME=VALUE…]                      {@link StalenessBench}
 *   deploy/bench/run averaging FOLDER [NAME=VALUE…]                      {@link AveragingBench}
 *   deploy/bench/run modes FOLDER [NAME=VALUE…]                          {@link ModesBench}
 *   deploy/bench/run memory FOLDER|rmat:SCALE:EDGES:COLUMNS [NAME=VALUE…] {@link MemoryBench}
 *   deploy/bench/run samplers FOLDER [NAME=VALUE…]                       {@link SamplersBench}
 *   deploy/bench/run epochs FOLDER [NAME=VALUE…]                         {@link EpochBench}
 *   deploy/bench/run faults [--runs N --seed S …]                        {@link FaultCampaign}
 *   deploy/bench/run cdc [CHANGES [CASE]]                                {@link ChangeBench}
 * </pre>
 *
 * GRAPH is a file or the name of one that {@link BenchGraph#file} generates.
 */
public final class Bench {
    private static final double NANOS = 1e9;
    private static final double MILLION = 1e6;
    private static final long BYTES_PER_VERTEX = 40;
    private static final int[] CACHE_PERCENT = {50, 25, 10, 5, 1};
    private static final int WARM_UPS = 1;
    private static final Set<String> WITHOUT_GRAPH = Set.of("growth", "sizes");
    private static final Set<String> WITH_GRAPH =
            Set.of("bulk", "checkpoints", "distributed", "kafka", "keep", "keys", "move", "repartition", "texts");

    private static final Set<String> OF_TRAINING =
            Set.of("accuracy", "averaging", "epochs", "memory", "modes", "samplers", "staleness");

    private static final Set<String> OF_CUTWATER = Set.of("bulk", "repartition");

    private final Path file;
    private final PartitionerOptions options;
    private final int runs;
    private final PrintStream out;

    /**
     * One run.
     *
     * @param seconds wall-clock time of the work
     * @param busiestSeconds CPU time of the busiest thread
     */
    private record Run(
            double seconds, double busiestSeconds, String busiest, double replicationFactor, double cacheHitRate) {}

    private Bench(Path file, PartitionerOptions options, int runs, PrintStream out) {
        this.file = file;
        this.options = options;
        this.runs = runs;
        this.out = out;
    }

    public static void main(String[] arguments) throws Exception {
        List<String> rest = new ArrayList<>(List.of(arguments));
        String first = rest.isEmpty() ? "" : rest.get(0);
        if (first.equals("faults")) {
            PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
            String[] words = rest.subList(1, rest.size()).toArray(String[]::new);
            System.exit(FaultCampaign.run(out, words));
        }
        if (first.equals("cdc")) {
            System.exit(ChangeBench.run(rest.subList(1, rest.size()), System.out));
        }
        if (first.equals("formats")) {
            FormatBench.run(System.out);
            System.exit(0);
        }
        if (OF_TRAINING.contains(first) && rest.size() > 1) {
            System.exit(train(first, Path.of(rest.get(1)), rest.subList(2, rest.size())));
        }
        String what = WITH_GRAPH.contains(first) || WITHOUT_GRAPH.contains(first) ? rest.remove(0) : "throughput";
        String graph = WITHOUT_GRAPH.contains(what) || rest.isEmpty() ? "" : rest.remove(0);
        if (graph.isEmpty() && !WITHOUT_GRAPH.contains(what)) {
            System.err.println(
                    "usage: deploy/bench/run [bulk|checkpoints|distributed|kafka|keep|keys|move|repartition|texts] GRAPH [ALGORITHM [PARTITIONS [RUNS]]], or"
                            + " deploy/bench/run growth|sizes [ALGORITHM [PARTITIONS [RUNS]]], or deploy/bench/run formats, or deploy/bench/run cdc [CHANGES [CASE]], or"
                            + " deploy/bench/run accuracy|averaging|epochs|memory|modes|samplers|staleness FOLDER [NAME=VALUE…]; GRAPH is FILE, rmat:SCALE:EDGES or"
                            + " uniform:VERTICES:EDGES");
            System.exit(2);
        }
        String algorithm = rest.isEmpty() ? OF_CUTWATER.contains(what) ? "cutwater" : "hdrf" : rest.get(0);
        int partitions = rest.size() > 1 ? Integer.parseInt(rest.get(1)) : 32;
        int runs = rest.size() > 2 ? Integer.parseInt(rest.get(2)) : 3;
        PartitioningKind kind = Algorithms.kindOf(algorithm, "");
        PartitionerOptions bulk =
                new PartitionerOptions(kind, algorithm, partitions, Algorithms.DEFAULT_SEED, PassMode.BULK, Map.of());
        PartitionerOptions live =
                new PartitionerOptions(kind, algorithm, partitions, Algorithms.DEFAULT_SEED, PassMode.LIVE, Map.of());
        PartitionerOptions options = Algorithms.of(bulk).isPlacedAsGraph(bulk) ? live : bulk;
        switch (what) {
            case "bulk" -> BulkBench.run(graph, bulk, rest.size() > 2 ? runs : 1, System.out);
            case "repartition" -> RepartitionBench.run(graph, kind, algorithm, partitions, System.out);
            case "sizes" -> SizeBench.run(algorithm, System.out);
            case "growth" -> GrowthBench.run(options, runs, System.out);
            case "checkpoints" -> CheckpointBench.run(graph, options, System.out);
            case "distributed" ->
                DistributedBench.run(
                        graph,
                        options,
                        runs,
                        rest.stream().skip(3).map(Integer::valueOf).toList(),
                        System.out);
            case "keep" -> KeepBench.run(graph, live, runs, System.out);
            case "keys" -> KeysBench.run(graph, live, runs, System.out);
            case "move" -> MoveBench.run(graph, live, System.out);
            case "texts" -> TextBench.run(graph, options, runs, System.out);
            case "kafka" -> KafkaBench.run(graph, options, runs, System.out);
            default -> throughput(graph, options, runs);
        }
        System.exit(0);
    }

    /** Returns the exit code. */
    private static int train(String what, Path folder, List<String> settings) throws Exception {
        try {
            switch (what) {
                case "staleness" -> StalenessBench.run(folder, settings, System.out);
                case "averaging" -> AveragingBench.run(folder, settings, System.out);
                case "memory" -> MemoryBench.run(folder.toString(), settings, System.out);
                case "modes" -> ModesBench.run(folder, settings, System.out);
                case "samplers" -> SamplersBench.run(folder, settings, System.out);
                case "epochs" -> EpochBench.run(folder, settings, System.out);
                default -> AccuracyBench.run(folder, settings, System.out);
            }
            return 0;
        } catch (IllegalArgumentException e) {
            System.err.println("deploy/bench/run: " + e.getMessage());
            return 2;
        }
    }

    private static void throughput(String graph, PartitionerOptions options, int runs) throws Exception {
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            new Bench(BenchGraph.file(graph, temporary.path()), options, runs, System.out).run();
        }
    }

    private void run() throws Exception {
        List<EdgeBatch> edges = load();
        long edgeCount = edges.stream().mapToLong(EdgeBatch::size).sum();
        long vertexCount = loop(edges).vertexCount();
        out.printf(
                "%s: %,d edges, %,d vertices, %s, k = %d, median of %d runs after %d warm-ups%n%n",
                file.getFileName(),
                edgeCount,
                vertexCount,
                options.algorithm(),
                options.partitionCount(),
                runs,
                WARM_UPS);
        out.println("| what | wall s | M edges/s | M edges/s per core | cache hits | busiest thread | RF |"
                + " ratio to the loop |");
        out.println("|---|---|---|---|---|---|---|---|");
        double loopRate = row("plain loop in memory", edgeCount, 0, () -> timeLoop(edges));
        edges.clear();
        long wholeCache = Math.max(1 << 20, vertexCount * 4 * BYTES_PER_VERTEX);
        EdgeInput input = BenchGraph.input(file);
        row("job, cache holds all", edgeCount, loopRate, () -> timeJob(input, wholeCache));
        EdgeInput distinct = new EdgeInput.Distinct(input, DuplicateRule.DIRECTED);
        row("the same, duplicates dropped", edgeCount, loopRate, () -> timeJob(distinct, wholeCache));
        for (int percent : CACHE_PERCENT) {
            row(
                    "job, cache %d %% of the vertices".formatted(percent),
                    edgeCount,
                    loopRate,
                    () -> timeJob(input, vertexCount * BYTES_PER_VERTEX * percent / 100));
        }
        out.printf("%npeak memory of the process: %,d MB%n", PeakMemory.bytes() >> 20);
    }

    private interface Measured {
        Run run() throws Exception;
    }

    private double row(String what, long edges, double loopRate, Measured measured) throws Exception {
        for (int i = 0; i < WARM_UPS; i++) {
            measured.run();
        }
        Run[] all = new Run[runs];
        for (int i = 0; i < runs; i++) {
            all[i] = measured.run();
        }
        Arrays.sort(all, Comparator.comparingDouble(Run::busiestSeconds));
        Run median = all[runs / 2];
        double wall = Arrays.stream(all).mapToDouble(Run::seconds).sorted().toArray()[runs / 2];
        double rate = edges / median.busiestSeconds();
        out.printf(
                "| %s | %.2f | %.2f | %.2f | %.2f | %s | %.4f | %s |%n",
                what,
                wall,
                edges / wall / MILLION,
                rate / MILLION,
                median.cacheHitRate(),
                median.busiest(),
                median.replicationFactor(),
                loopRate == 0 ? "1" : "%.2f".formatted(rate / loopRate));
        return rate;
    }

    private List<EdgeBatch> load() throws IOException {
        List<EdgeBatch> edges = new ArrayList<>();
        try (EdgeFileReader reader = EdgeFiles.open(file, EdgeFileFormat.ofName(file), EdgeFilePosition.START)) {
            EdgeBatch batch = new EdgeBatch();
            while (reader.read(batch, EdgeBatch.DEFAULT_CAPACITY)) {
                edges.add(batch);
                batch = new EdgeBatch();
            }
        }
        return edges;
    }

    private record Loop(long vertexCount, double replicationFactor) {}

    private Loop loop(List<EdgeBatch> edges) {
        EdgePartitioner partitioner = Algorithms.edgePartitioner(options);
        VertexTable vertices = new VertexTable(partitioner.layout(options.partitionCount()));
        PartitionLoads loads = new PartitionLoads(options.partitionCount());
        Placement placement = new Placement(partitioner, vertices, loads);
        PlacedEdges unread = (source, target, weight, timestamp, key, place) -> {};
        for (int pass = 0; pass < partitioner.preparationPasses(); pass++) {
            for (EdgeBatch batch : edges) {
                placement.accept(batch.setPass(pass), unread);
            }
        }
        for (EdgeBatch batch : edges) {
            placement.accept(batch.setPass(partitioner.preparationPasses()), unread);
        }
        placement.placeHeld(unread);
        return new Loop(loads.totalVertices(), (double) loads.totalReplicas() / loads.totalVertices());
    }

    private Run timeLoop(List<EdgeBatch> edges) {
        long start = System.nanoTime();
        Loop loop = loop(edges);
        double seconds = (System.nanoTime() - start) / NANOS;
        return new Run(seconds, seconds, "the loop", loop.replicationFactor(), 1);
    }

    private Run timeJob(EdgeInput input, long cacheBytes) throws Exception {
        MeasuredJob job = MeasuredJob.run(MeasuredJob.Work.of(input, options, cacheBytes));
        return new Run(job.seconds(), job.busiestSeconds(), job.busiest(), job.replicationFactor(), job.cacheHitRate());
    }
}
