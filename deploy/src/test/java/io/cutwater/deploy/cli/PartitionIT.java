package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.kafka.record.ReportJson;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SyntheticGraph;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs on embedded Flink, from the command line to the folder. */
class PartitionIT {
    private static final int EDGES = 5_000;

    @TempDir
    private Path folder;

    private Path graph = Path.of("");
    private Path out = Path.of("");

    @BeforeEach
    void writeGraph() throws IOException {
        graph = Files.write(folder.resolve("graph.txt"), edges());
        out = folder.resolve("shards");
    }

    private static List<String> edges() {
        EdgeBatch batch = new EdgeBatch();
        SyntheticGraph.growingCommunities(20, 7).fill(batch, EDGES);
        return Stream.iterate(0, i -> i + 1)
                .limit(batch.size())
                .map(i -> batch.source(i) + " " + batch.target(i))
                .toList();
    }

    private CommandLineRun partition(Path edges, String... more) {
        List<String> args = Stream.concat(
                        Stream.of(
                                "partition",
                                "--edges",
                                edges.toString(),
                                "--partitions",
                                "4",
                                "--algorithm",
                                "hdrf",
                                "--out",
                                out.toString()),
                        Arrays.stream(more))
                .toList();
        return CommandLineRun.of(args.toArray(String[]::new));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"cutwater --passes live", "sigma-edge", "sigma-edge --passes live", "2ps-l"})
    void anAlgorithmThatCanBoundTheBalanceKeepsWhatTheCommandLineSays(String algorithm) throws IOException {
        String line = "partition --partitions 4 --imbalance 0.02 --json --algorithm %s --edges %s --out %s"
                .formatted(algorithm, graph, out);
        CommandLineRun run = CommandLineRun.of(line.split(" ", -1));

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(run.out());
        assertThat(report.path("edges").longValue()).isEqualTo(EDGES);
        assertThat(run.err()).doesNotContain("does not bound it");
        // Live, 24 edges of a partition come on top; in bulk, a part of one.
        double slack = (algorithm.endsWith("live") ? 25 : 1) * 4.0 / EDGES;
        assertThat(report.path("edgeBalance").doubleValue()).isLessThanOrEqualTo(1.02 + slack);
        CommandLineRun evaluated =
                CommandLineRun.of("evaluate", "--assignment", out.toString(), "--edges", graph.toString(), "--json");
        assertThat(evaluated.exitCode()).as(evaluated.err()).isZero();
        assertThat(ReportJson.read(evaluated.out().getBytes(java.nio.charset.StandardCharsets.UTF_8))
                        .quality())
                .isEqualTo(ReportJson.read(Files.readAllBytes(out.resolve("report.json")))
                        .quality());
    }

    @Test
    void reportOnStandardOutputIsTheFoldersAndWhatEvaluateCounts() throws IOException {
        CommandLineRun run = partition(graph, "--json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo(Files.readString(out.resolve("report.json")));
        JsonNode report = new ObjectMapper().readTree(run.out());
        assertThat(report.path("edges").longValue()).isEqualTo(EDGES);
        assertThat(report.path("seconds").doubleValue()).isPositive();
        assertThat(onlyChildren()).containsExactlyInAnyOrder("graph.txt", "shards");

        CommandLineRun evaluated =
                CommandLineRun.of("evaluate", "--assignment", out.toString(), "--edges", graph.toString(), "--json");
        assertThat(evaluated.exitCode()).as(evaluated.err()).isZero();
        assertThat(ReportJson.read(evaluated.out().getBytes(java.nio.charset.StandardCharsets.UTF_8))
                        .quality())
                .isEqualTo(ReportJson.read(Files.readAllBytes(out.resolve("report.json")))
                        .quality());
    }

    private List<String> onlyChildren() throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.map(child -> child.getFileName().toString()).toList();
        }
    }

    @Test
    void aCompleteFolderIsReplacedOnlyIfTheUserSaysSo() throws IOException {
        assertThat(partition(graph).exitCode()).isZero();
        byte[] first = Files.readAllBytes(out.resolve("manifest.json"));

        CommandLineRun refused = partition(graph);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.sentence()).contains("--overwrite");
        assertThat(out.resolve("manifest.json")).hasBinaryContent(first);

        assertThat(partition(graph, "--overwrite", "--seed", "9").exitCode()).isZero();
        assertThat(Files.readString(out.resolve("manifest.json"))).contains("\"seed\" : 9");
    }

    @Test
    void tooManyBadRecordsFailTheRunAndLeaveNoFolder() throws IOException {
        Files.writeString(graph, "1 2\n3 x\n4 5\n");

        CommandLineRun run = partition(graph);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.sentence())
                .isEqualTo("cutwater: 1 of 3 records are no edges, more than --max-bad 0.01 allows, so"
                        + " there is no output folder; check the input, or allow more");
        assertThat(run.out()).contains("dead letters        1");
        assertThat(onlyChildren()).containsExactly("graph.txt");

        CommandLineRun allowed = partition(graph, "--max-bad", "0.5");
        assertThat(allowed.exitCode()).as(allowed.err()).isZero();
        assertThat(out.resolve("dead-letters.csv")).content().contains("graph.txt", ",2,");
    }

    @Test
    void aTruncatedFileFailsTheRunInOneSentence() throws IOException {
        Path packed = folder.resolve("graph.txt.gz");
        try (OutputStream file = new GZIPOutputStream(Files.newOutputStream(packed))) {
            Files.copy(graph, file);
        }
        byte[] bytes = Files.readAllBytes(packed);
        Files.write(packed, Arrays.copyOf(bytes, bytes.length / 2));

        CommandLineRun run = partition(packed);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.sentence()).startsWith("cutwater: ").contains("graph.txt.gz");
        assertThat(out).doesNotExist();
        assertThat(onlyChildren()).containsExactlyInAnyOrder("graph.txt", "graph.txt.gz");
    }

    @Test
    void anEmptyInputIsPartitionedIntoEmptyShards() throws IOException {
        Files.writeString(graph, "# nothing\n");

        CommandLineRun run = partition(graph, "--json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(new ObjectMapper().readTree(run.out()).path("edges").longValue())
                .isZero();
    }
}
