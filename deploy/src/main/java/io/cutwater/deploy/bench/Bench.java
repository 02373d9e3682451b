package io.cutwater.deploy.bench;

import io.cutwater.deploy.local.TemporaryFolder;
import io.cutwater.flink.connector.EdgeFileSource.EdgeFile;
import io.cutwater.flink.connector.EdgeInput;
import io.cutwater.flink.connector.LiveReport;
import io.cutwater.flink.connector.PeakMemory;
import io.cutwater.flink.job.EmbeddedOptions;
import io.cutwater.flink.job.EmbeddedRun;
import io.cutwater.flink.job.PartitionRequest;
import io.cutwater.kafka.file.EdgeFileFormat;
import io.cutwater.kafka.file.EdgeFilePosition;
import io.cutwater.kafka.file.EdgeFileReader;
import io.cutwater.kafka.file.EdgeFiles;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SyntheticGraph;
import io.cutwater.state.partition.EdgeAssigner;
import io.cutwater.state.partition.EdgePartitioner;
import io.cutwater.state.partition.EdgePartitioners;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.PlacedEdges;
import io.cutwater.state.table.DuplicateRule;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Throughput of one file: the plain loop over arrays in memory, and the whole job (file to staged shards, RocksDB
 * state, checkpoints every 10 s) with caches of several sizes. Prints a table of medians.
 *
 * <p>Usage: {@code deploy/bench FILE|rmat:SCALE:EDGES [ALGORITHM [PARTITIONS [RUNS]]]}
 */
public final class Bench {
    private static final double NANOS = 1e9;
    private static final double MILLION = 1e6;
    private static final long BYTES_PER_VERTEX = 40;
    private static final int WARM_UPS = 2;

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
    private record Run(double seconds, double busiestSeconds, String busiest, double replicationFactor) {}

    private Bench(Path file, PartitionerOptions options, int runs, PrintStream out) {
        this.file = file;
        this.options = options;
        this.runs = runs;
        this.out = out;
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            System.err.println("usage: deploy/bench FILE|rmat:SCALE:EDGES [ALGORITHM [PARTITIONS [RUNS]]]");
            System.exit(2);
        }
        String algorithm = arguments.length > 1 ? arguments[1] : "hdrf";
        int partitions = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 32;
        int runs = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 5;
        PartitionerOptions options =
                new PartitionerOptions(algorithm, partitions, EdgePartitioners.DEFAULT_SEED, PassMode.BULK, Map.of());
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            Path file =
                    arguments[0].startsWith("rmat:") ? generate(arguments[0], temporary.path()) : Path.of(arguments[0]);
            new Bench(file, options, runs, System.out).run();
        }
        System.exit(0);
    }

    /** @param graph {@code rmat:SCALE:EDGES}: ids below 2^SCALE, and so many edges */
    private static Path generate(String graph, Path folder) throws IOException {
        String[] parts = graph.split(":", -1);
        SyntheticGraph source = SyntheticGraph.rmat(Integer.parseInt(parts[1]), EdgePartitioners.DEFAULT_SEED);
        Path file = folder.resolve("rmat-%s-%s.txt".formatted(parts[1], parts[2]));
        EdgeBatch batch = new EdgeBatch();
        try (Writer text = Files.newBufferedWriter(file)) {
            for (long left = Long.parseLong(parts[2]); left > 0; left -= batch.size()) {
                batch.clear();
                source.fill(batch, (int) Math.min(left, EdgeBatch.DEFAULT_CAPACITY));
                for (int i = 0; i < batch.size(); i++) {
                    text.write(batch.source(i) + " " + batch.target(i) + "\n");
                }
            }
        }
        return file;
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
        out.println("| what | wall s | M edges/s | M edges/s per core | busiest thread | RF | ratio to the loop |");
        out.println("|---|---|---|---|---|---|---|");
        double loopRate = row("plain loop in memory", edgeCount, 0, () -> timeLoop(edges));
        edges.clear();
        long wholeCache = Math.max(1 << 20, vertexCount * 4 * BYTES_PER_VERTEX);
        row("job, cache holds all", edgeCount, loopRate, () -> timeJob(wholeCache));
        EdgeInput distinct = new EdgeInput.Distinct(input(), DuplicateRule.DIRECTED);
        row("the same, duplicates dropped", edgeCount, loopRate, () -> timeJob(distinct, wholeCache));
        row("job, cache 10 % of the vertices", edgeCount, loopRate, () -> timeJob(vertexCount * BYTES_PER_VERTEX / 10));
        row("job, cache 1 % of the vertices", edgeCount, loopRate, () -> timeJob(vertexCount * BYTES_PER_VERTEX / 100));
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
                "| %s | %.2f | %.2f | %.2f | %s | %.4f | %s |%n",
                what,
                wall,
                edges / wall / MILLION,
                rate / MILLION,
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
        EdgePartitioner partitioner = EdgePartitioners.create(options);
        VertexTable vertices = new VertexTable(partitioner.layout(options.partitionCount()));
        PartitionLoads loads = new PartitionLoads(options.partitionCount());
        EdgeAssigner assigner = new EdgeAssigner(partitioner, vertices, loads);
        for (int pass = 0; pass < partitioner.preparationPasses(); pass++) {
            for (EdgeBatch batch : edges) {
                assigner.observe(batch.setPass(pass));
            }
        }
        int[] partitions = new int[EdgeBatch.DEFAULT_CAPACITY];
        PlacedEdges unread = (source, target, weight, timestamp, partition) -> {};
        for (EdgeBatch batch : edges) {
            if (assigner.isHolding()) {
                assigner.place(batch, unread);
            } else {
                assigner.place(batch, partitions);
            }
        }
        assigner.placeHeld(unread);
        return new Loop(loads.totalVertices(), (double) loads.totalReplicas() / loads.totalVertices());
    }

    private Run timeLoop(List<EdgeBatch> edges) {
        long start = System.nanoTime();
        Loop loop = loop(edges);
        double seconds = (System.nanoTime() - start) / NANOS;
        return new Run(seconds, seconds, "the loop", loop.replicationFactor());
    }

    private EdgeInput input() throws IOException {
        EdgeFileFormat format = EdgeFileFormat.ofName(file);
        return new EdgeInput.Files(List.of(new EdgeFile(file.toString(), format, Files.size(file))));
    }

    private Run timeJob(long cacheBytes) throws Exception {
        return timeJob(input(), cacheBytes);
    }

    private Run timeJob(EdgeInput input, long cacheBytes) throws Exception {
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            Path work = temporary.path();
            PartitionRequest request = new PartitionRequest(
                    input, options, cacheBytes, null, work.resolve("staging"), null, work.resolve("live.json"));
            BusiestThread busiest = new BusiestThread();
            long start = System.nanoTime();
            try (EmbeddedRun run =
                    EmbeddedRun.start(request, new EmbeddedOptions(work, Duration.ofSeconds(10), 128 << 20, 0))) {
                while (!run.await(Duration.ofMillis(20))) {
                    busiest.sample();
                }
            }
            double seconds = (System.nanoTime() - start) / NANOS;
            LiveReport report = LiveReport.read(work.resolve("live.json")).orElseThrow();
            return new Run(
                    seconds,
                    busiest.seconds(),
                    busiest.name(),
                    report.report().quality().replicationFactor());
        }
    }
}
