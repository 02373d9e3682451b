package io.cutwater.deploy.cli.partition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.format.json.ReportJson;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.quality.Quality;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    private CommandRun partition(Path edges, String... more) {
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
        return CommandRun.of(Cutwater::run, args.toArray(String[]::new));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"cutwater", "cutwater --passes live", "sigma-edge", "sigma-edge --passes live", "2ps-l"})
    void anAlgorithmThatCanBoundTheBalanceKeepsWhatTheCommandLineSays(String algorithm) throws IOException {
        String line = "partition --partitions 4 --imbalance 0.02 --json --algorithm %s --edges %s --out %s"
                .formatted(algorithm, graph, out);
        CommandRun run = CommandRun.of(Cutwater::run, line.split(" ", -1));

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(run.out());
        assertThat(report.path("edges").longValue()).isEqualTo(EDGES);
        assertThat(run.err()).doesNotContain("does not bound it");
        // Live, 24 edges of a partition come on top; in bulk, a part of one.
        double slack = (algorithm.endsWith("live") ? 25 : 1) * 4.0 / EDGES;
        assertThat(report.path("edgeBalance").doubleValue()).isLessThanOrEqualTo(1.02 + slack);
        CommandRun evaluated = CommandRun.of(
                Cutwater::run, "evaluate", "--assignment", out.toString(), "--edges", graph.toString(), "--json");
        assertThat(evaluated.exitCode()).as(evaluated.err()).isZero();
        assertThat(ReportJson.read(evaluated.out().getBytes(java.nio.charset.StandardCharsets.UTF_8))
                        .quality())
                .isEqualTo(ReportJson.read(Files.readAllBytes(out.resolve("report.json")))
                        .quality());
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "--kind vertex",
                "--kind vertex --passes live",
                "--algorithm ldg --passes live",
                "--algorithm spring",
                "--kind vertex --algorithm hash --via-kafka --passes live"
            })
    void aVertexAlgorithmWritesAFolderThatEvaluateAccepts(String algorithm) throws IOException {
        String line = "partition --partitions 4 --imbalance 0.1 --json %s --edges %s --out %s"
                .formatted(algorithm, graph, out);
        CommandRun run = CommandRun.of(Cutwater::run, line.split(" ", -1));

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(run.out());
        assertThat(report.path("kind").textValue()).isEqualTo("vertex");
        assertThat(report.path("edges").longValue()).isEqualTo(EDGES);
        if (algorithm.startsWith("--kind vertex") && !algorithm.contains("hash")) {
            assertThat(report.path("vertexBalance").doubleValue()).isLessThanOrEqualTo(1.1 + 0.01);
            assertThat(run.err()).doesNotContain("does not bound it");
        }
        CommandRun evaluated = CommandRun.of(
                Cutwater::run, "evaluate", "--assignment", out.toString(), "--edges", graph.toString(), "--json");
        assertThat(evaluated.exitCode()).as(evaluated.err()).isZero();
        assertThat(ReportJson.read(evaluated.out().getBytes(java.nio.charset.StandardCharsets.UTF_8))
                        .quality())
                .isEqualTo(ReportJson.read(Files.readAllBytes(out.resolve("report.json")))
                        .quality());
    }

    @Test
    void reportOnStandardOutputIsTheFoldersAndWhatEvaluateCounts() throws IOException {
        CommandRun run = partition(graph, "--json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo(Files.readString(out.resolve("report.json")));
        JsonNode report = new ObjectMapper().readTree(run.out());
        assertThat(report.path("edges").longValue()).isEqualTo(EDGES);
        assertThat(report.path("seconds").doubleValue()).isPositive();
        assertThat(onlyChildren()).containsExactlyInAnyOrder("graph.txt", "shards");

        CommandRun evaluated = CommandRun.of(
                Cutwater::run, "evaluate", "--assignment", out.toString(), "--edges", graph.toString(), "--json");
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
    void aVertexTableInTwoTasksWritesTheSameFilesAndTwoAssignersWhatEvaluateAccepts() throws IOException {
        assertThat(partition(graph).exitCode()).isZero();
        ObjectNode fused = files();

        CommandRun spread = partition(graph, "--overwrite", "--parallelism", "2");
        assertThat(spread.exitCode()).as(spread.err()).isZero();
        assertThat(files()).isEqualTo(fused);

        CommandRun several = partition(graph, "--overwrite", "--parallelism", "2", "--assigners", "2");
        assertThat(several.exitCode()).as(several.err()).isZero();
        CommandRun evaluated =
                CommandRun.of(Cutwater::run, "evaluate", "--assignment", out.toString(), "--edges", graph.toString());
        assertThat(evaluated.exitCode()).as(evaluated.err()).isZero();
    }

    /** Name and hash of every file but the report, which tells the time. */
    private ObjectNode files() throws IOException {
        ObjectNode files = (ObjectNode) new ObjectMapper()
                .readTree(out.resolve("manifest.json").toFile())
                .path("files");
        files.remove("report.json");
        return files;
    }

    @Test
    void aCompleteFolderIsReplacedOnlyIfTheUserSaysSo() throws IOException {
        assertThat(partition(graph).exitCode()).isZero();
        byte[] first = Files.readAllBytes(out.resolve("manifest.json"));

        CommandRun refused = partition(graph);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.sentence()).contains("--overwrite");
        assertThat(out.resolve("manifest.json")).hasBinaryContent(first);

        assertThat(partition(graph, "--overwrite", "--seed", "9").exitCode()).isZero();
        assertThat(Files.readString(out.resolve("manifest.json"))).contains("\"seed\" : 9");
    }

    @ParameterizedTest
    @CsvSource({"--dedupe, false, --progress=off", "--dedupe=undirected, true, --via-kafka"})
    void duplicatesAreDroppedAndCountedIfTheUserSaysSo(String option, boolean isUndirected, String way)
            throws IOException {
        List<String> lines = Files.readAllLines(graph);
        List<String> twice = new ArrayList<>(lines);
        lines.forEach(line -> twice.add(line.replaceAll("(\\d+) (\\d+)", isUndirected ? "$2 $1" : "$1 $2 9.5")));
        Files.write(graph, twice);
        Set<String> distinct = new HashSet<>();
        for (String line : lines) {
            String[] ends = line.split(" ", -1);
            boolean isTurned = isUndirected && Long.parseLong(ends[0]) > Long.parseLong(ends[1]);
            distinct.add(isTurned ? ends[1] + " " + ends[0] : line);
        }

        CommandRun run = partition(graph, "--json", option, way);

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(new ObjectMapper().readTree(run.out()).path("edges").longValue())
                .isEqualTo(distinct.size());
        int dropped = twice.size() - distinct.size();
        assertThat(run.err()).contains("dropped %,d duplicates of %,d edges".formatted(dropped, twice.size()));
        JsonNode manifest =
                new ObjectMapper().readTree(out.resolve("manifest.json").toFile());
        assertThat(manifest.at("/counts/duplicates").intValue()).isEqualTo(dropped);
        assertThat(manifest.at("/counts/deadLetters").intValue()).isZero();
        assertThat(manifest.at("/run/parameters/dedupe").textValue())
                .isEqualTo(isUndirected ? "undirected" : "directed");
        assertThat(out.resolve("shards/00000/edges.csv")).content().doesNotContain("9.5");

        CommandRun evaluated =
                CommandRun.of(Cutwater::run, "evaluate", "--assignment", out.toString(), "--edges", graph.toString());
        assertThat(evaluated.exitCode()).as(evaluated.err()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"--progress=off", "--via-kafka"})
    void idsThatAreTextAreNumberedAndToldInTheFolder(String option) throws IOException {
        List<String> lines = Files.readAllLines(graph);
        assertThat(partition(graph).exitCode()).isZero();
        Quality ofNumbers =
                ReportJson.read(Files.readAllBytes(out.resolve("report.json"))).quality();
        List<String> named = new ArrayList<>(List.of("src dst weight"));
        lines.forEach(line -> named.add(line.replaceAll("(\\d+) (\\d+)", "v\"$1 v\"$2 0.25")));
        named.add("alone");
        Files.write(graph, named);

        CommandRun run = partition(graph, "--ids", "text", "--overwrite", option);

        assertThat(run.exitCode()).as(run.err()).isZero();
        Quality quality =
                ReportJson.read(Files.readAllBytes(out.resolve("report.json"))).quality();
        assertThat(quality.vertices()).isEqualTo(ofNumbers.vertices());
        assertThat(quality.edges()).isEqualTo(ofNumbers.edges());
        assertThat(quality.deadLetters()).isEqualTo(1);
        assertThat(out.resolve("dead-letters.csv")).content().contains("graph.txt", "," + named.size() + ",alone");
        assertThat(shardEdges()).containsExactlyInAnyOrderElementsOf(named.subList(1, named.size() - 1));
        JsonNode manifest =
                new ObjectMapper().readTree(out.resolve("manifest.json").toFile());
        assertThat(manifest.at("/run/parameters/ids").textValue()).isEqualTo("text");
        assertThat(manifest.at("/run/input/0/file").textValue()).isEqualTo(graph.toString());

        CommandRun evaluated =
                CommandRun.of(Cutwater::run, "evaluate", "--assignment", out.toString(), "--edges", graph.toString());
        assertThat(evaluated.exitCode()).as(evaluated.err()).isZero();
        Files.write(graph, List.of("v\"1 stranger"));
        assertThat(CommandRun.of(Cutwater::run, "evaluate", "--assignment", out.toString(), "--edges", graph.toString())
                        .exitCode())
                .isEqualTo(1);
    }

    /** The edges of all shards with the names of their ends. */
    private List<String> shardEdges() throws IOException {
        List<String> names = Files.readAllLines(out.resolve("ids.csv")).stream()
                .skip(1)
                .map(row ->
                        row.substring(row.indexOf(',') + 2, row.length() - 1).replace("\"\"", "\""))
                .toList();
        List<String> edges = new ArrayList<>();
        for (int shard = 0; shard < 4; shard++) {
            List<String> rows = Files.readAllLines(out.resolve("shards/%05d/edges.csv".formatted(shard)));
            for (String row : rows.subList(1, rows.size())) {
                String[] fields = row.split(",", -1);
                edges.add(names.get(Integer.parseInt(fields[0])) + " " + names.get(Integer.parseInt(fields[1])) + " "
                        + fields[2]);
            }
        }
        return edges;
    }

    @Test
    void aGraphForMetisIsEvaluatedAsAVertexPartitioning() throws IOException {
        assertThat(partition(graph, "--format", "metis").exitCode()).isZero();

        CommandRun ofShards = CommandRun.of(Cutwater::run, "evaluate", "--assignment", out.toString());
        assertThat(ofShards.out()).contains("(edge partitioning)");
        Path metis = out.resolve("metis/graph.metis");
        CommandRun ofOwners = CommandRun.of(
                Cutwater::run, "evaluate", "--edges", metis.toString(), "--assignment", metis + ".part.4");
        assertThat(ofOwners.exitCode()).as(ofOwners.err()).isZero();
        assertThat(ofOwners.out()).contains("(vertex partitioning)", "edge-cut ratio");
    }

    @Test
    void tooManyBadRecordsFailTheRunAndLeaveNoFolder() throws IOException {
        Files.writeString(graph, "1 2\n3 x\n4 5\n");

        CommandRun run = partition(graph);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.sentence())
                .isEqualTo("cutwater: 1 of 3 records are malformed, more than --max-malformed 0.01 allows, so"
                        + " there is no output folder; check the input, or allow more");
        assertThat(run.out()).contains("dead letters        1");
        assertThat(onlyChildren()).containsExactly("graph.txt");

        CommandRun allowed = partition(graph, "--max-malformed", "0.5");
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

        CommandRun run = partition(packed);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.sentence()).startsWith("cutwater: ").contains("graph.txt.gz");
        assertThat(out).doesNotExist();
        assertThat(onlyChildren()).containsExactlyInAnyOrder("graph.txt", "graph.txt.gz");
    }

    @Test
    void anEmptyInputIsPartitionedIntoEmptyShards() throws IOException {
        Files.writeString(graph, "# nothing\n");

        CommandRun run = partition(graph, "--json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(new ObjectMapper().readTree(run.out()).path("edges").longValue())
                .isZero();
    }
}
