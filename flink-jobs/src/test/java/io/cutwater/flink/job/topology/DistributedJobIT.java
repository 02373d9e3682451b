package io.cutwater.flink.job.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.connector.feedback.LoopOptions;
import io.cutwater.flink.connector.feedback.LoopTopic;
import io.cutwater.flink.connector.file.EdgeFileSource.EdgeFile;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.operator.distributed.SpreadOptions;
import io.cutwater.flink.operator.distributed.UpdateSource;
import io.cutwater.format.audit.EdgePartitionAudit;
import io.cutwater.format.audit.EdgePartitionAudit.Fingerprint;
import io.cutwater.format.audit.PartitionAudit;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.quality.Quality;
import io.cutwater.testkit.BrokerExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The distributed topology with its loop through a broker, on an embedded Flink cluster, against the fused path. */
final class DistributedJobIT {
    private static final int EDGES = 60_000;
    private static final int BATCHES_OF_A_PASS = 15;
    private static final long NOT_SLOW = 0;
    private static final long SMALL_CACHE = 3_000 * 40;

    @TempDir
    private static Path shared;

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private static Path edges;
    private static Path edgesOfCrawl;
    private static Fingerprint fingerprint;

    @TempDir
    private Path folder;

    private int runs;
    private Path read = edges;

    @BeforeAll
    static void start() throws Exception {
        edges = shared.resolve("edges.txt");
        SplittableRandom random = new SplittableRandom(5);
        EdgeBatch all = new EdgeBatch();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < EDGES; i++) {
            long source = (long) (random.nextDouble() * random.nextDouble() * random.nextDouble() * 5_000);
            long target = random.nextInt(20_000) - 10_000;
            all.add(source, target);
            text.append(source).append(' ').append(target).append('\n');
        }
        text.append("not an edge\n");
        Files.writeString(edges, text);
        edgesOfCrawl = shared.resolve("crawl.txt");
        List<String> lines = new ArrayList<>(text.toString().lines().toList());
        lines.sort(
                Comparator.comparing(line -> line.split(" ")[0])); // sources that follow each other are no neighbours
        Files.write(edgesOfCrawl, lines);
        fingerprint = Fingerprint.NONE.plus(all);
    }

    /** From 2 on, whose jobs are those of hdrf and cutwater. */
    static LongStream seeds() {
        return LongStream.rangeClosed(2, 1 + Integer.getInteger("cutwater.seeds", 1));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"hdrf", "dbh", "sigma-edge"})
    void oneAssignerWritesTheBytesOfTheFusedTopologyAlsoWithSlowUpdates(String algorithm) throws Exception {
        FolderRun fused = fused(options(algorithm));
        FolderRun spread = spread(options(algorithm), 2, 1, FolderRun.NO_CRASH, 7);
        assertThat(spread.hashes()).isEqualTo(fused.hashes());
        assertThat(spread.report().report().quality())
                .isEqualTo(fused.report().report().quality());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aCrashAtARandomBatchChangesNoByte(long seed) throws Exception {
        PartitionerOptions options = options(seed % 2 == 0 ? "hdrf" : "dbh");
        FolderRun crashed = crash(options, seed, seed % 2 == 0 ? 1 : 2);
        assertThat(crashed.report().report().quality())
                .isEqualTo(EdgePartitionAudit.of(crashed.output()).report(1));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aCrashWithRecordsOnTheirWayBackChangesNoByte(long seed) throws Exception {
        FolderRun crashed = crash(options(seed % 2 == 0 ? "cutwater" : "fennel"), seed, 1);
        assertThat(crashed.report().report().quality().vertices()).isPositive();
    }

    private FolderRun crash(PartitionerOptions options, long seed, int passes) throws Exception {
        int crashAt = 1 + new SplittableRandom(seed).nextInt(BATCHES_OF_A_PASS * passes - 1);
        FolderRun crashed = spread(options, 2, 1, crashAt, seed);
        FolderRun fused = fused(options);
        assertThat(crashed.hashes()).isEqualTo(fused.hashes());
        assertThat(crashed.report().report().quality())
                .isEqualTo(fused.report().report().quality());
        return crashed;
    }

    static Stream<PartitionerOptions> ofSeveralAssigners() {
        Map<String, String> window = Map.of("window", "3000");
        return Stream.of(
                PartitionerOptions.ofEdges("hdrf", 8, 1, PassMode.LIVE, Map.of("solo", "9000")),
                // They share the homes of vertices from the third batch on.
                PartitionerOptions.ofEdges("cutwater", 8, 1, PassMode.LIVE, Map.of("window", "3000", "solo", "9000")),
                PartitionerOptions.ofVertices("ldg", 8, 1, PassMode.LIVE, window),
                PartitionerOptions.ofVertices("fennel", 8, 1, PassMode.LIVE, window),
                PartitionerOptions.ofVertices(
                        "cutwater", 8, 1, PassMode.LIVE, Map.of("window", "3000", "solo", "9000")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ofSeveralAssigners")
    void twoAssignersPlaceEveryEdgeOnceAlsoAfterACrash(PartitionerOptions options) throws Exception {
        FolderRun run = spread(options, 2, 2, 6, NOT_SLOW);
        assertThatAllIsPlaced(run, options);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"hdrf", "cutwater"})
    void twoAssignersThatShareLoadsPlaceEveryEdgeOnceAlsoAfterACrash(String algorithm) throws Exception {
        PartitionerOptions options = PartitionerOptions.ofEdges(algorithm, 8, 1, PassMode.LIVE, Map.of("solo", "9000"));
        read = edgesOfCrawl;
        assertThatAllIsPlaced(spread(options, 2, 2, 6, NOT_SLOW), options);
    }

    private static void assertThatAllIsPlaced(FolderRun run, PartitionerOptions options) throws Exception {
        PartitionAudit recount = PartitionAudit.begin(run.output());
        run.output().readEdges(recount::add);
        assertThat(recount.fingerprint()).isEqualTo(fingerprint);
        assertThat(recount.firstDifference(run.output())).isEmpty();
        Quality quality = run.report().report().quality();
        assertThat(quality).isEqualTo(recount.report(1));
        if (options.kind().hasOwners()) {
            assertThat(quality.vertexBalance()).isLessThan(1.11);
        } else {
            assertThat(quality.edgeBalance().orElseThrow()).isLessThan(1.06);
        }
    }

    @Test
    void theLossOfTheLastUpdateFailsABoundedRun() throws Exception {
        PartitionerOptions hdrf = options("hdrf");
        assertThatThrownBy(() -> spread(hdrf, 2, 1, FolderRun.NO_CRASH, 9, LossyLoop::new))
                .hasStackTraceContaining("an update was lost on topic vertex-updates");
    }

    private static PartitionerOptions options(String algorithm) {
        return switch (algorithm) {
            case "cutwater" ->
                PartitionerOptions.ofEdges(algorithm, 8, 1, PassMode.LIVE, Map.of("window", "3000", "buffer", "5000"));
            case "fennel" ->
                new PartitionerOptions(
                        PartitioningKind.VERTEX, algorithm, 8, 1, PassMode.LIVE, Map.of("window", "5000"));
            case "sigma-edge" ->
                PartitionerOptions.ofEdges(algorithm, 8, 1, PassMode.BULK, Map.of("clustering", "edge-stream"));
            default -> PartitionerOptions.ofEdges(algorithm, 8, 1, PassMode.BULK, Map.of());
        };
    }

    private FolderRun fused(PartitionerOptions options) throws Exception {
        return FolderRun.of(nextFolder(), input(), options, 64 << 20, null, FolderRun.NO_CRASH);
    }

    private FolderRun spread(PartitionerOptions options, int tables, int assigners, int crashAt, long seed)
            throws Exception {
        UnaryOperator<UpdateSource> between = loop -> seed == NOT_SLOW ? loop : new SlowLoop(loop, seed);
        return spread(options, tables, assigners, crashAt, seed, between);
    }

    /** @param between what stands between topic and tables */
    private FolderRun spread(
            PartitionerOptions options,
            int tables,
            int assigners,
            int crashAt,
            long seed,
            UnaryOperator<UpdateSource> between)
            throws Exception {
        String topic = "run" + seed + "-" + runs + "-" + options.algorithm() + "-";
        Topics topics = new Topics(topic);
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(topics.spec(topics.vertexUpdates(), 3));
        }
        LoopTopic loop = new LoopTopic(new LoopOptions(broker.bootstrapServers(), topics.vertexUpdates(), Map.of()));
        DistributedOptions distributed = new DistributedOptions(
                new SpreadOptions(SpreadOptions.DEFAULT_BUCKETS, tables, assigners),
                new LoopOptions(broker.bootstrapServers(), topics.vertexUpdates(), Map.of()));
        return FolderRun.of(
                nextFolder(),
                input(),
                options,
                SMALL_CACHE,
                null,
                crashAt,
                distributed,
                (stream, request) -> AssignerPath.overTables(
                        stream,
                        PartitionJob.noCommands(stream),
                        request.assigner(),
                        distributed.spread(),
                        0,
                        loop,
                        between.apply(loop)));
    }

    private Path nextFolder() {
        return folder.resolve("run" + runs++);
    }

    private EdgeInput input() throws Exception {
        return new EdgeInput.Files(
                List.of(new EdgeFile(read.toString(), EdgeFileFormat.ofName(read), Files.size(read))));
    }
}
