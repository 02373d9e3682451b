package io.cutwater.flink.job.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.connector.feedback.LoopOptions;
import io.cutwater.flink.connector.file.EdgeFileSource.EdgeFile;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.report.LiveReport;
import io.cutwater.flink.job.EmbeddedMetrics;
import io.cutwater.flink.job.EmbeddedOptions;
import io.cutwater.flink.job.EmbeddedRun;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.distributed.SpreadOptions;
import io.cutwater.format.folder.OutputFolder;
import io.cutwater.format.folder.RunDescription;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.quality.Quality;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State several times the cache and RocksDB's memory, with any 64-bit id: the result is that of a run in memory. */
final class OutOfCoreIT {
    private static final long SEED = 17;
    private static final int VERTICES = 60_000;
    private static final int EDGES = 72_000;
    private static final long ALL_IN_MEMORY = 256L << 20;

    private static final long SMALL_ROCKSDB = 1L << 19;
    private static final long SMALL_CACHE = 40L * VERTICES / 20;

    @TempDir
    private static Path folder;

    private static Path edges;
    private static Result inMemory;
    private static Result outOfCore;

    private record Result(Map<String, String> files, Quality quality, EmbeddedMetrics metrics) {}

    @BeforeAll
    static void runInMemoryAndOutOfCore() throws Exception {
        edges = writeEdges();
        inMemory = run("in-memory", ALL_IN_MEMORY, ALL_IN_MEMORY, null);
        outOfCore = run("out-of-core", SMALL_CACHE, SMALL_ROCKSDB, null);
    }

    @Test
    void aStateLargerThanItsMemoryGivesTheSameBytes() {
        assertThat(outOfCore.files()).isEqualTo(inMemory.files());
        assertThat(outOfCore.quality()).isEqualTo(inMemory.quality());

        double vertices = outOfCore.quality().vertices();
        // Key of 14 bytes, sequence number of 8, and the value.
        double stateBytes = vertices * (14 + 8 + value(outOfCore, "storedBytesPerVertex"));
        assertThat(stateBytes).isGreaterThan(2.5 * SMALL_ROCKSDB);
        assertThat(value(outOfCore, "cachedVertices")).isLessThan(vertices / 15);
        assertThat(value(outOfCore, "cacheBytes")).isBetween(SMALL_CACHE / 2.0, (double) SMALL_CACHE);
        assertThat(value(outOfCore, "cacheHitRate")).isBetween(0.01, 0.5);
        assertThat(value(inMemory, "cachedVertices")).isEqualTo(vertices);
    }

    @Test
    void everyDocumentedMetricExistsAndAgreesWithTheReport() throws Exception {
        Result run = outOfCore;
        List<String> names = metricNames();
        assertThat(names).hasSizeGreaterThan(10);
        assertThat(names)
                .allSatisfy(name -> assertThat(run.metrics().value(name)).isPresent());
        Quality quality = run.quality();
        assertThat(value(run, "edges")).isEqualTo(EDGES);
        assertThat(value(run, "vertices")).isEqualTo(quality.vertices());
        assertThat(value(run, "deadLetters")).isEqualTo(quality.deadLetters()).isEqualTo(1);
        assertThat(value(run, "replicationFactor")).isEqualTo(quality.replicationFactor());
        assertThat(value(run, "edgeBalance")).isEqualTo(quality.edgeBalance().orElseThrow());
        assertThat(value(run, "vertexBalance")).isEqualTo(quality.vertexBalance());
        // Self-loops are looked up once.
        assertThat(value(run, "lookups")).isBetween(1.9 * EDGES, 2.0 * EDGES);
        assertThat(value(run, "dirtyVertices")).isZero();
        assertThat(value(run, "storedBytesPerVertex")).isBetween(4.0, 12.0);
    }

    @Test
    void theDistributedTopologyGivesTheSameBytesAndHasEveryMetric() throws Exception {
        Result spread;
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"))) {
            Topics topics = new Topics("");
            try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
                admin.ensure(topics.spec(topics.vertexUpdates(), 2));
            }
            DistributedOptions distributed = new DistributedOptions(
                    new SpreadOptions(SpreadOptions.DEFAULT_BUCKETS, 1, 1),
                    new LoopOptions(broker.bootstrapServers(), topics.vertexUpdates(), Map.of()));
            spread = run("spread", SMALL_CACHE, SMALL_ROCKSDB, distributed);
        }
        assertThat(spread.files()).isEqualTo(inMemory.files());
        assertThat(spread.quality()).isEqualTo(inMemory.quality());

        List<String> names = distributedMetricNames();
        assertThat(names).hasSizeGreaterThan(20);
        assertThat(names)
                .allSatisfy(name ->
                        assertThat(spread.metrics().value(name)).as(name).isPresent());
        Quality quality = spread.quality();
        assertThat(value(spread, "edges")).isEqualTo(EDGES);
        assertThat(value(spread, "vertices")).isEqualTo(quality.vertices()).isEqualTo(value(spread, "createdVertices"));
        assertThat(value(spread, "deadLetters")).isEqualTo(1);
        assertThat(value(spread, "replicationFactor")).isEqualTo(quality.replicationFactor());
        assertThat(value(spread, "edgeBalance")).isEqualTo(quality.edgeBalance().orElseThrow());
        assertThat(value(spread, "vertexBalance")).isEqualTo(quality.vertexBalance());
        // Once a batch; in random order few come twice in one.
        assertThat(value(spread, "lookups")).isBetween(1.8 * EDGES, 2.0 * EDGES);
        assertThat(value(spread, "cacheHitRate")).isPositive().isLessThan(0.5);
        assertThat(value(spread, "cachedVertices")).isLessThan(quality.vertices() / 15.0);
        assertThat(value(spread, "dirtyVertices")).isZero();
        assertThat(value(spread, "appliedUpdates")).isPositive();
        assertThat(value(spread, "duplicateUpdates")).isZero();
        assertThat(value(spread, "staleUpdates")).isZero();
        assertThat(value(spread, "staleEdges")).as("one assigner").isZero();
        assertThat(value(spread, "loopLagRecords")).as("at the end").isZero();
        assertThat(value(spread, "loopLagMillis")).isBetween(0.0, 60_000.0);
        assertThat(value(spread, "oldestUnconfirmedMillis")).isGreaterThanOrEqualTo(0);
    }

    private static double value(Result run, String name) {
        return run.metrics().value(name).orElseThrow();
    }

    /** The first column of the table of the fused topology. */
    private static List<String> metricNames() throws IOException {
        return section("## Fused topology")
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .toList();
    }

    /** All names in code in the section on the distributed topology. */
    private static List<String> distributedMetricNames() throws IOException {
        String section = section("## Distributed topology").collect(Collectors.joining("\n"));
        return Pattern.compile("`([a-z][A-Za-z]+)`")
                .matcher(section)
                .results()
                .map(name -> name.group(1))
                .toList();
    }

    private static Stream<String> section(String title) throws IOException {
        String text = Files.readString(Path.of("../deploy/docs/reference/metrics.md"));
        return text.substring(text.indexOf(title)).lines().skip(1).takeWhile(line -> !line.startsWith("## "));
    }

    private static Path writeEdges() throws IOException {
        Path file = folder.resolve("edges.txt");
        SplittableRandom random = new SplittableRandom(SEED);
        try (Writer text = Files.newBufferedWriter(file)) {
            for (int i = 0; i < EDGES; i++) {
                text.write(anyId(random) + " " + anyId(random) + "\n");
            }
            text.write("not an edge\n");
        }
        return file;
    }

    /** Over all of 64 bits, half of them negative. */
    private static long anyId(SplittableRandom random) {
        return random.nextInt(VERTICES) * 0x9E3779B97F4A7C15L;
    }

    private static Result run(String name, long cacheBytes, long rocksDbBytes, @Nullable DistributedOptions distributed)
            throws Exception {
        Path work = Files.createDirectories(folder.resolve(name));
        Path live = work.resolve("live.json");
        EdgeFile file = new EdgeFile(edges.toString(), EdgeFileFormat.ofName(edges), Files.size(edges));
        PartitionerOptions hdrf = PartitionerOptions.ofEdges("hdrf", 8, SEED, PassMode.BULK, Map.of());
        EmbeddedOptions options = new EmbeddedOptions(work.resolve("flink"), Duration.ofMillis(500), rocksDbBytes, 0);
        try (OutputFolder output = OutputFolder.open(work.resolve("out"), false)) {
            PartitionRequest request = new PartitionRequest(
                    new EdgeInput.Files(List.of(file)),
                    AssignOptions.of(hdrf, cacheBytes, Duration.ZERO, false),
                    distributed,
                    new JobOutput(output.staging(), null, live));
            EmbeddedMetrics metrics;
            try (EmbeddedRun run = EmbeddedRun.start(request, options)) {
                assertThat(run.await(Duration.ofMinutes(5))).isTrue();
                metrics = run.metrics();
            }
            output.complete(
                    new RunDescription("test", "hdrf", Map.of(), SEED, 8, List.of()), TableFormat.CSV, new byte[0]);
            Quality quality = LiveReport.read(live).orElseThrow().report().quality();
            return new Result(ShardFolder.open(work.resolve("out")).manifest().files(), quality, metrics);
        }
    }
}
