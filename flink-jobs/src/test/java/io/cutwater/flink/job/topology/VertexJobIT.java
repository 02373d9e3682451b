package io.cutwater.flink.job.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.connector.file.EdgeFileSource.EdgeFile;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.format.audit.EdgePartitionAudit.Fingerprint;
import io.cutwater.format.audit.PartitionAudit;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.quality.Quality;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole job that partitions vertices, files to folder, on an embedded Flink cluster with RocksDB state. */
final class VertexJobIT {
    private static final long LARGE_CACHE = 64 << 20;
    /** About a hundredth of the vertices. */
    private static final long TINY_CACHE = 150 * 56;

    private static final int EDGES = 60_000;
    private static final int BATCHES = 14;

    @TempDir
    private Path folder;

    private final EdgeBatch graph = new EdgeBatch(EDGES);
    private Path edges;
    private int runs;

    @BeforeEach
    void writeEdges() throws IOException {
        edges = folder.resolve("edges.txt");
        SplittableRandom random = new SplittableRandom(3);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < EDGES; i++) {
            long community = random.nextInt(40);
            long source = community * 300 + (long) (random.nextDouble() * random.nextDouble() * 300);
            long target = random.nextInt(4) == 0 ? random.nextInt(12_000) : community * 300 + random.nextInt(300);
            graph.add(source, target);
            text.append(source).append('\t').append(target).append('\n');
            if (i % 25_000 == 7) {
                text.append("not an edge\n");
            }
        }
        Files.writeString(edges, text);
    }

    static Stream<PartitionerOptions> algorithms() {
        return Stream.concat(
                Algorithms.names(PartitioningKind.VERTEX, PassMode.LIVE).stream()
                        .map(VertexJobIT::live),
                Stream.of("ldg", "spring", "cutwater").map(VertexJobIT::bulk));
    }

    /** Live and bulk; in a campaign each algorithm. */
    static LongStream seeds() {
        return Integer.getInteger("cutwater.seeds") == null ? LongStream.of(3, 5) : LongStream.rangeClosed(1, 5);
    }

    private static PartitionerOptions live(String algorithm) {
        // Fewer edges than the input has, so that some go before its end.
        Map<String, String> settings = algorithm.equals("hash") ? Map.of() : Map.of("window", "10000");
        return PartitionerOptions.ofVertices(algorithm, 8, 1, PassMode.LIVE, settings);
    }

    private static PartitionerOptions bulk(String algorithm) {
        return PartitionerOptions.ofVertices(algorithm, 8, 1, PassMode.BULK, Map.of());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void everyEdgeIsInTheShardsOfItsOwnersAndTheReportIsTheAuditedQuality(PartitionerOptions options) throws Exception {
        FolderRun run = run(options, LARGE_CACHE, FolderRun.NO_CRASH);
        assertThat(run.output().kind()).isEqualTo(PartitioningKind.VERTEX);
        Quality quality = requireWhole(run);
        assertThat(quality.edgeCutRatio().orElseThrow())
                .as("most edges are within a community, but for a hash that is nothing")
                .isLessThan(options.algorithm().equals("hash") ? 0.9 : 0.8);
    }

    /** All edges, in the shards of their ends' owners as the book names them, and a report that says so. */
    private Quality requireWhole(FolderRun run) throws IOException {
        PartitionAudit recount = PartitionAudit.begin(run.output());
        run.output().readEdges(recount::add);
        assertThat(recount.firstDifference(run.output())).isEmpty();
        assertThat(recount.fingerprint()).isEqualTo(Fingerprint.NONE.plus(graph));
        Quality reported = run.report().report().quality();
        assertThat(recount.report(3)).isEqualTo(reported);
        assertThat(reported.edges()).isEqualTo(EDGES);
        return reported;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aTinyCacheAndACrashAtARandomBatchChangeNoByte(long seed) throws Exception {
        List<PartitionerOptions> algorithms =
                List.of(live("cutwater"), live("fennel"), live("ldg"), bulk("cutwater"), bulk("spring"));
        PartitionerOptions options = algorithms.get((int) seed % algorithms.size());
        int crashAt = 1 + new SplittableRandom(seed).nextInt(BATCHES - 1);
        FolderRun crashed = run(options, TINY_CACHE, crashAt);
        assertThat(crashed.hashes())
                .isEqualTo(run(options, LARGE_CACHE, FolderRun.NO_CRASH).hashes());
        requireWhole(crashed);
    }

    private FolderRun run(PartitionerOptions options, long cacheBytes, int crashAt) throws Exception {
        EdgeFile file = new EdgeFile(edges.toString(), EdgeFileFormat.TEXT, Files.size(edges));
        return FolderRun.of(
                Files.createDirectories(folder.resolve("run-" + runs++)),
                new EdgeInput.Files(List.of(file)),
                options,
                cacheBytes,
                null,
                crashAt);
    }
}
