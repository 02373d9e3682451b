package io.cutwater.flink.job.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.connector.file.EdgeFileSource.EdgeFile;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.format.audit.EdgePartitionAudit;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.quality.Quality;
import io.cutwater.testkit.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole job, files to folder, on an embedded Flink cluster with RocksDB state. */
final class PartitionJobIT {
    private static final long LARGE_CACHE = 64 << 20;
    /** About a hundredth of the vertices. */
    private static final long TINY_CACHE = 150 * 40;
    /** About a fifth of the vertices. */
    private static final long SMALL_CACHE = 3_000 * 40;

    private static final int EDGES = 100_000;
    private static final int BATCHES_OF_A_PASS = 24;

    @TempDir
    private static Path graph;

    private static Path edges;
    /** Runs over all edges without a crash, which several tests compare with. */
    private static final Map<PartitionerOptions, FolderRun> undisturbed = new HashMap<>();

    @TempDir
    private Path folder;

    private int runs;

    @BeforeAll
    static void writeEdges() throws IOException {
        edges = graph.resolve("edges.txt");
        SplittableRandom random = new SplittableRandom(3);
        StringBuilder text = new StringBuilder("# a graph with hubs\n");
        for (int i = 0; i < EDGES; i++) {
            long source = (long) (random.nextDouble() * random.nextDouble() * random.nextDouble() * 5_000);
            text.append(source)
                    .append('\t')
                    .append(random.nextInt(20_000) - 10_000)
                    .append('\n');
            if (i % 25_000 == 7) {
                text.append("not an edge\n");
            }
        }
        Files.writeString(edges, text);
    }

    static Stream<String> algorithms() {
        return Algorithms.names(PartitioningKind.EDGE).stream();
    }

    static LongStream fewSeeds() {
        return LongStream.rangeClosed(3, 2 + Integer.getInteger("cutwater.seeds", 1));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Integer.getInteger("cutwater.seeds", 1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void writesTheShardsOfThePlainLoopAndReportsTheAuditedQuality(String algorithm) throws Exception {
        FolderRun run = undisturbed(options(algorithm));
        assertThat(run.shards()).isEqualTo(PlainLoop.shards(List.of(edges), options(algorithm)));
        Quality reported = run.report().report().quality();
        EdgePartitionAudit recount = EdgePartitionAudit.of(run.output());
        assertThat(recount.report(4)).isEqualTo(reported);
        assertThat(recount.firstDifference(run.output())).isEmpty();
        assertThat(reported.edges()).isEqualTo(EDGES);
    }

    static Stream<String> algorithmsOfTinyCaches() {
        return Integer.getInteger("cutwater.seeds") == null ? Stream.of("dbh") : Stream.of("hdrf", "dbh", "cutwater");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithmsOfTinyCaches")
    void aTinyCacheAndAnInputInTwoFilesGiveTheSameBytes(String algorithm) throws Exception {
        List<String> lines = Files.readAllLines(edges);
        Path first = Files.write(folder.resolve("first.csv"), lines.subList(0, 40_000));
        Path rest = Files.write(folder.resolve("rest.csv"), lines.subList(40_000, lines.size()));
        assertThat(run(options(algorithm), TINY_CACHE, first, rest).hashes())
                .isEqualTo(undisturbed(options(algorithm)).hashes());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aCrashAtARandomBatchChangesNoByte(long seed) throws Exception {
        // Of one pass, two and four, so that any may be hit; one from a bulk run, and one with edges that wait.
        List<PartitionerOptions> algorithms = List.of(
                options("hdrf"),
                options("greedy"),
                options("cutwater"),
                options("2ps-l"),
                options("sigma-edge"),
                options("dbh"),
                PartitionerOptions.ofEdges("cutwater", 8, 1));
        PartitionerOptions options = algorithms.get((int) seed % algorithms.size());
        int batches = BATCHES_OF_A_PASS * (Algorithms.edgePartitioner(options).preparationPasses() + 1);
        int crashAt = 1 + new SplittableRandom(seed).nextInt(batches - 1);
        FolderRun crashed = FolderRun.of(nextFolder(), files(edges), options, SMALL_CACHE, null, crashAt);
        assertThat(crashed.hashes()).isEqualTo(undisturbed(options).hashes());
        assertThat(crashed.report().report().quality())
                .isEqualTo(EdgePartitionAudit.of(crashed.output()).report(4));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void aCrashRestoresNoDuplicate(long seed) throws Exception {
        List<String> lines = Files.readAllLines(edges);
        Set<String> distinct = new LinkedHashSet<>(lines);
        Path once = Files.write(folder.resolve("once.txt"), distinct);
        Path again = Files.write(folder.resolve("again.txt"), lines.subList(0, 30_000));
        // Two passes: duplicates are dropped in both.
        PartitionerOptions options = options("greedy");
        EdgeInput input = new EdgeInput.Distinct(files(edges, again), DuplicateRule.DIRECTED);
        int crashAt = 1 + new SplittableRandom(seed).nextInt(2 * BATCHES_OF_A_PASS);
        FolderRun crashed = FolderRun.of(nextFolder(), input, options, SMALL_CACHE, null, crashAt);

        assertThat(crashed.hashes()).isEqualTo(run(options, LARGE_CACHE, once).hashes());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void aCrashRestoresNoDuplicateAfterBulkPasses(long seed) throws Exception {
        List<String> lines = Files.readAllLines(edges);
        Path once = Files.write(folder.resolve("once.txt"), new LinkedHashSet<>(lines));
        Path again = Files.write(folder.resolve("again.txt"), lines.subList(0, 30_000));
        EdgeInput input = new EdgeInput.Distinct(files(edges, again), DuplicateRule.DIRECTED);
        int crashAt = 1 + new SplittableRandom(seed).nextInt(BATCHES_OF_A_PASS);
        FolderRun crashed = FolderRun.of(nextFolder(), input, options("cutwater"), SMALL_CACHE, null, crashAt);

        assertThat(crashed.hashes())
                .isEqualTo(run(options("cutwater"), LARGE_CACHE, once).hashes());
        long read = Stream.concat(lines.stream(), lines.stream().limit(30_000))
                .filter(line -> line.contains("\t"))
                .count();
        assertThat(crashed.duplicates())
                .isEqualTo(read - crashed.report().report().quality().edges());
    }

    @Test
    void placesTheReferenceGraphAsThePlainLoopDoes() throws Exception {
        Path graph = SharedData.file("data/amazon-computers/edges.txt.gz");
        PartitionerOptions options =
                PartitionerOptions.ofEdges("hdrf", 32, Algorithms.DEFAULT_SEED, PassMode.BULK, Map.of());
        FolderRun run = run(options, LARGE_CACHE, graph);
        assertThat(run.shards()).isEqualTo(PlainLoop.shards(List.of(graph), options));
        assertThat((run.report().report().quality()).replicationFactor()).isBetween(6.24 * 0.99, 6.24 * 1.01);
    }

    private static FolderRun undisturbed(PartitionerOptions options) throws Exception {
        FolderRun run = undisturbed.get(options);
        if (run == null) {
            Path out = graph.resolve("run" + undisturbed.size());
            run = FolderRun.of(out, files(edges), options, LARGE_CACHE, null, FolderRun.NO_CRASH);
            undisturbed.put(options, run);
        }
        return run;
    }

    private static PartitionerOptions options(String algorithm) {
        return PartitionerOptions.ofEdges(
                algorithm,
                8,
                1,
                PassMode.BULK,
                algorithm.equals("sigma-edge") ? Map.of("clustering", "edge-stream") : Map.of());
    }

    private FolderRun run(PartitionerOptions options, long cacheBytes, Path... files) throws Exception {
        return FolderRun.of(nextFolder(), files(files), options, cacheBytes, null, FolderRun.NO_CRASH);
    }

    private Path nextFolder() {
        return folder.resolve("run" + runs++);
    }

    private static EdgeInput files(Path... files) throws IOException {
        List<EdgeFile> all = new ArrayList<>();
        for (Path file : files) {
            all.add(new EdgeFile(file.toString(), EdgeFileFormat.ofName(file), Files.size(file)));
        }
        return new EdgeInput.Files(all);
    }
}
