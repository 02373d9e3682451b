package io.cutwater.deploy.cli.partition;

import static io.cutwater.deploy.cli.partition.PartitionRuns.EDGES;
import static io.cutwater.deploy.cli.partition.PartitionRuns.succeed;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.deploy.view.AlgorithmStyle;
import io.cutwater.testkit.CommandRun;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs on embedded Flink, from the command line to the folder. */
class PartitionIT {
    @TempDir
    private Path folder;

    private PartitionRuns runs;

    @BeforeEach
    void writeGraph() throws IOException {
        runs = new PartitionRuns(folder);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"cutwater", "cutwater --passes live", "sigma-edge", "sigma-edge --passes live", "2ps-l"})
    void anAlgorithmThatCanBoundTheBalanceKeepsWhatTheCommandLineSays(String algorithm) throws IOException {
        String line =
                "partition --partitions 4 --imbalance 0.02 --json --progress bar --algorithm %s --edges %s --out %s"
                        .formatted(algorithm, runs.graph, runs.out);
        CommandRun run = succeed(CommandRun.of(Cutwater::run, line.split(" ", -1)));
        JsonNode report = run.json();
        assertThat(report.path("edges").longValue()).isEqualTo(EDGES);
        assertThat(run.err()).doesNotContain("does not bound it");
        if (algorithm.equals("cutwater")) {
            assertThat(run.err()).contains("\rplace, step 1 of 2 100 %:", "\rwrite, step 2 of 2 100 %:");
        }
        // Live, 24 edges of a partition come on top; in bulk, a part of one.
        double slack = (algorithm.endsWith("live") ? 25 : 1) * 4.0 / EDGES;
        assertThat(report.path("edgeBalance").doubleValue()).isLessThanOrEqualTo(1.02 + slack);
        runs.assertReportIsWhatEvaluateCounts();
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
                .formatted(algorithm, runs.graph, runs.out);
        CommandRun run = succeed(CommandRun.of(Cutwater::run, line.split(" ", -1)));
        JsonNode report = run.json();
        assertThat(report.path("kind").textValue()).isEqualTo("vertex");
        assertThat(report.path("edges").longValue()).isEqualTo(EDGES);
        if (algorithm.startsWith("--kind vertex") && !algorithm.contains("hash")) {
            assertThat(report.path("vertexBalance").doubleValue()).isLessThanOrEqualTo(1.1 + 0.01);
            assertThat(run.err()).doesNotContain("does not bound it");
        }
        runs.assertReportIsWhatEvaluateCounts();
    }

    @Test
    void reportOnStandardOutputIsTheFoldersAndWhatEvaluateCounts() throws IOException {
        Path picture = folder.resolve("loads.png");
        CommandRun run = succeed(runs.partition(runs.graph, "--json", "--plot", picture.toString()));
        assertThat(run.err()).contains("cutwater: wrote " + picture);
        bothPanelsShow(AlgorithmStyle.colour(run.json().path("algorithm").textValue()), picture);
        assertThat(run.out()).isEqualTo(Files.readString(runs.out.resolve("report.json")));
        JsonNode report = run.json();
        assertThat(report.path("edges").longValue()).isEqualTo(EDGES);
        double startUp = report.path("startUpSeconds").doubleValue();
        assertThat(startUp).isPositive();
        assertThat(report.path("edgesPerSecond").doubleValue())
                .isEqualTo(EDGES / (report.path("seconds").doubleValue() - startUp));
        assertThat(runs.children()).containsExactlyInAnyOrder("graph.txt", "loads.png", "shards");

        runs.assertReportIsWhatEvaluateCounts();
    }

    private static void bothPanelsShow(Color colour, Path picture) throws IOException {
        BufferedImage image = ImageIO.read(picture.toFile());
        assertThat(image.getWidth()).isEqualTo(2000);
        for (int left : new int[] {0, 1000}) {
            assertThat(Arrays.stream(image.getRGB(left, 0, 1000, image.getHeight(), null, 0, 1000))
                            .filter(point -> point == colour.getRGB())
                            .count())
                    .isGreaterThan(100);
        }
    }

    @Test
    void aVertexTableInTwoTasksWritesTheSameFilesAndTwoAssignersWhatEvaluateAccepts() throws IOException {
        succeed(runs.partition(runs.graph));
        ObjectNode fused = files();

        succeed(runs.partition(runs.graph, "--overwrite", "--parallelism", "2"));
        assertThat(files()).isEqualTo(fused);

        succeed(runs.partition(runs.graph, "--overwrite", "--parallelism", "2", "--assigners", "2"));
        runs.evaluate();
    }

    @Test
    void bulkPassesInThreeThreadsWriteTheSameFilesEachTimeAndTheManifestSaysHowMany() throws IOException {
        succeed(inThreads(3));
        ObjectNode first = files();
        assertThat(runs.manifest().at("/run/parameters/parallelism").textValue())
                .isEqualTo("3");
        runs.assertReportIsWhatEvaluateCounts();

        succeed(inThreads(3, "--overwrite"));
        assertThat(files()).isEqualTo(first);
    }

    private CommandRun inThreads(int threads, String... more) {
        List<String> args =
                new ArrayList<>(List.of("partition", "--edges", runs.graph.toString(), "--partitions", "4"));
        args.addAll(List.of("--out", runs.out.toString(), "--parallelism", Integer.toString(threads)));
        args.addAll(List.of(more));
        return CommandRun.of(Cutwater::run, args.toArray(String[]::new));
    }

    /** Name and hash of every file but the report, which tells the time. */
    private ObjectNode files() throws IOException {
        ObjectNode files = (ObjectNode) runs.manifest().path("files");
        files.remove("report.json");
        return files;
    }

    @Test
    void aCompleteFolderIsReplacedOnlyIfTheUserSaysSo() throws IOException {
        succeed(runs.partition(runs.graph));
        byte[] first = Files.readAllBytes(runs.out.resolve("manifest.json"));

        CommandRun refused = runs.partition(runs.graph);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.sentence()).contains("--overwrite");
        assertThat(runs.out.resolve("manifest.json")).hasBinaryContent(first);

        succeed(runs.partition(runs.graph, "--overwrite", "--seed", "9"));
        assertThat(Files.readString(runs.out.resolve("manifest.json"))).contains("\"seed\" : 9");
    }

    @Test
    void aGraphForMetisIsEvaluatedAsAVertexPartitioning() throws IOException {
        succeed(runs.partition(runs.graph, "--format", "metis"));

        CommandRun ofShards = CommandRun.of(Cutwater::run, "evaluate", "--assignment", runs.out.toString());
        assertThat(ofShards.out()).contains("(edge partitioning)");
        Path metis = runs.out.resolve("metis/graph.metis");
        CommandRun ofOwners = CommandRun.of(
                Cutwater::run, "evaluate", "--edges", metis.toString(), "--assignment", metis + ".part.4");
        assertThat(ofOwners.exitCode()).as(ofOwners.err()).isZero();
        assertThat(ofOwners.out()).contains("(vertex partitioning)", "edge-cut ratio");
    }
}
