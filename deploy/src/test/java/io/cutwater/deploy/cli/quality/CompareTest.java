package io.cutwater.deploy.cli.quality;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables and reports of {@code compare}. */
class CompareTest {
    @TempDir
    private Path folder;

    private Cliques cliques;

    @BeforeEach
    void writeCliques() throws IOException {
        cliques = new Cliques(folder);
    }

    @Test
    void everyAlgorithmOfBothKindsComesOnce() throws IOException {
        Map<String, JsonNode> reports = cliques.reports("--kind both --partitions 2");

        assertThat(reports.keySet())
                .containsExactly(
                        "edge 2ps-l bulk",
                        "edge cutwater live",
                        "edge cutwater bulk",
                        "edge dbh live",
                        "edge dbh bulk",
                        "edge greedy live",
                        "edge greedy bulk",
                        "edge grid live",
                        "edge hash live",
                        "edge hdrf live",
                        "edge sigma-edge live",
                        "edge sigma-edge bulk",
                        "vertex cutwater live",
                        "vertex cutwater bulk",
                        "vertex fennel live",
                        "vertex fennel bulk",
                        "vertex grem bulk",
                        "vertex hash live",
                        "vertex ldg live",
                        "vertex ldg bulk",
                        "vertex sigma-vertex bulk",
                        "vertex spring bulk");
        for (JsonNode report : reports.values()) {
            assertThat(report.path("edges").longValue()).isEqualTo(Cliques.EDGES);
            assertThat(report.path("vertices").longValue()).isEqualTo(2 * Cliques.CLIQUE);
            assertThat(report.path("seconds").doubleValue()).isNotNegative();
            // That of the process, which runs them all, would be told of none rightly.
            assertThat(report.has("peakMemoryBytes")).isFalse();
            assertThat(report.path("perPartition")).hasSize(2);
        }
    }

    @Test
    void oursFindsThatNothingJoinsTheCliques() throws IOException {
        Map<String, JsonNode> reports =
                cliques.reports("--kind both --partitions 2 --algorithms cutwater --passes bulk");

        assertThat(reports).containsOnlyKeys("edge cutwater bulk", "vertex cutwater bulk");
        JsonNode ofEdges = reports.get("edge cutwater bulk");
        assertThat(ofEdges.path("replicationFactor").doubleValue()).isEqualTo(1);
        assertThat(ofEdges.path("edgeBalance").doubleValue()).isEqualTo(1);
        JsonNode ofVertices = reports.get("vertex cutwater bulk");
        assertThat(ofVertices.path("edgeCutRatio").doubleValue()).isZero();
        assertThat(ofVertices.path("volumeBalance").doubleValue()).isEqualTo(1);
        assertThat(ofVertices.path("replicationFactorFullNeighbours").doubleValue())
                .isEqualTo(1);
    }

    @Test
    void aBarShowsEachAlgorithm() {
        CommandRun run = cliques.compare("--kind both --partitions 2 --algorithms cutwater,ldg --progress bar");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err())
                .contains(
                        "read",
                        "1 of 6, cutwater (edge, live, k = 2)",
                        "2 of 6, cutwater (edge, bulk, k = 2)",
                        "3 of 6, cutwater (vertex, live, k = 2)",
                        "4 of 6, cutwater (vertex, bulk, k = 2)",
                        "5 of 6, ldg (vertex, live, k = 2)",
                        "6 of 6, ldg (vertex, bulk, k = 2)");
        assertThat(run.out()).doesNotContain("of 6");
    }

    @Test
    void theTablesShowWhatWasAskedForInItsOrder() {
        CommandRun run = cliques.compare("--kind both --partitions 1 --algorithms ldg,hdrf,hash");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out().lines().map(line -> line.split(" +")[0]))
                .containsExactly("edge", "algorithm", "hdrf", "hash", "", "vertex", "algorithm", "ldg", "ldg", "hash");
        assertThat(run.out().lines().filter(line -> line.startsWith("h")))
                .hasSize(3)
                .allMatch(line -> line.contains(" 1.00 ") && line.contains(" 1.000 "));
        assertThat(run.err().lines().filter(line -> line.startsWith("cutwater:")))
                .isEmpty();
    }

    @Test
    void eachNumberOfPartitionsIsComparedOnce() throws IOException {
        CommandRun run = cliques.compare("--partitions 2,5,2 --kind both --algorithms hash,ldg --passes live --json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        List<String> rows = new ArrayList<>();
        for (JsonNode report : run.json()) {
            assertThat(report.path("perPartition"))
                    .hasSize(report.path("partitions").intValue());
            rows.add(report.path("algorithm").textValue() + " "
                    + report.path("partitions").intValue());
        }
        assertThat(rows).containsExactly("hash 2", "hash 2", "ldg 2", "hash 5", "hash 5", "ldg 5");
        CommandRun table = cliques.compare("--partitions 2,5 --algorithms hash");
        assertThat(table.out().lines().filter(line -> line.startsWith("hash")))
                .hasSize(2)
                .anyMatch(line -> line.matches("hash +live +2 .*"))
                .anyMatch(line -> line.matches("hash +live +5 .*"));
    }

    @Test
    void aSettingGoesToThoseThatHaveIt() throws IOException {
        String algorithms = "--kind both --partitions 3 --algorithms hdrf,hash,sigma-vertex,fennel";
        Map<String, JsonNode> plain = cliques.reports(algorithms);
        Map<String, JsonNode> set = cliques.reports(algorithms + " --set lambda=1000 --set slack=3 --set gamma=9");

        assertThat(set.keySet()).isEqualTo(plain.keySet());
        assertThat(edges(set.get("edge hash live"))).isEqualTo(edges(plain.get("edge hash live")));
        // Balance is all that counts now, and so is the price of a vertex.
        assertThat(set.get("edge hdrf live").path("edgeBalance").doubleValue()).isEqualTo(1);
        assertThat(set.get("edge hdrf live").path("replicationFactor").doubleValue())
                .isGreaterThan(
                        plain.get("edge hdrf live").path("replicationFactor").doubleValue());
        assertThat(set.get("vertex fennel bulk").path("perPartition"))
                .isNotEqualTo(plain.get("vertex fennel bulk").path("perPartition"));
    }

    private static JsonNode edges(JsonNode report) {
        return report.path("perPartition");
    }

    @Test
    void eachSizeOfBufferIsARowOfThoseThatHaveBuffers() {
        String options = "--partitions 2 --passes live --algorithms hdrf,cutwater --buffers 0,4000,4000";
        CommandRun table = cliques.compare(options);

        assertThat(table.exitCode()).as(table.err()).isZero();
        assertThat(table.out().lines().skip(2).map(line -> line.split(" {2,}")[1]))
                .containsExactly("live", "live, buffer 0", "live, buffer 4000");

        JsonNode reports = cliques.compare(options + " --json").json();
        assertThat(reports).hasSize(3);
        assertThat(reports.get(0).has("buffer")).isFalse();
        assertThat(reports.get(2).path("passes").textValue()).isEqualTo("live");
        assertThat(reports.get(2).path("buffer").intValue()).isEqualTo(4000);
        // The whole graph is in the buffer, so that it is placed as in bulk.
        assertThat(reports.get(2).path("replicationFactor").doubleValue()).isEqualTo(1);
    }

    @Test
    void whatIsTrainedOnIsSpreadAndTold() throws IOException {
        List<String> words = new ArrayList<>();
        for (int v = 0; v < 2 * Cliques.CLIQUE; v++) {
            words.add(v < Cliques.CLIQUE ? "train" : v % 2 == 0 ? "test" : "none");
        }
        words.add("train"); // without an edge it is nobody's
        Path split = Files.write(folder.resolve("split.txt"), words);
        String options = "--kind both --partitions 2 --passes bulk --algorithms cutwater,spring,hdrf --imbalance 0.3";

        Map<String, JsonNode> spread =
                cliques.reports(options + " --set grain=0.1 --training-imbalance 0.2 --split " + split);
        Map<String, JsonNode> plain = cliques.reports(options);

        // Each clique on a partition of its own, all that is trained on is on one of them.
        assertThat(plain.values()).noneMatch(report -> report.has("trainingBalance"));
        for (JsonNode report : spread.values()) {
            long sum = 0;
            for (JsonNode partition : report.path("perPartition")) {
                sum += partition.path("trainingVertices").longValue();
            }
            assertThat(sum).isEqualTo(Cliques.CLIQUE);
        }
        assertThat(spread.get("edge cutwater bulk").path("trainingBalance").doubleValue())
                .isLessThanOrEqualTo(1.2);
        assertThat(spread.get("vertex cutwater bulk").path("trainingBalance").doubleValue())
                .isLessThanOrEqualTo(1.2);
        assertThat(cliques.compare("--partitions 2 --algorithms hash --split " + split)
                        .out())
                .contains("training balance");
    }

    @Test
    void aRandomOrderIsThatOfItsSeed() throws IOException {
        String options = "--partitions 3 --algorithms greedy --passes live";
        JsonNode first = cliques.reports(options + " --shuffle-seed 1").get("edge greedy live");
        JsonNode again = cliques.reports(options + " --shuffle-seed 1").get("edge greedy live");
        List<JsonNode> others = new ArrayList<>();
        for (int seed = 2; seed < 6; seed++) {
            others.add(cliques.reports(options + " --shuffle-seed " + seed).get("edge greedy live"));
        }

        assertThat(again.path("perPartition")).isEqualTo(first.path("perPartition"));
        assertThat(others).anyMatch(other -> !other.path("perPartition").equals(first.path("perPartition")));
        assertThat(others).allMatch(other -> other.path("edges").longValue() == Cliques.EDGES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.05", "0.3"})
    void theImbalanceIsACap(String imbalance) throws IOException {
        Map<String, JsonNode> reports = cliques.reports(
                "--partitions 3 --passes bulk --algorithms cutwater,2ps-l,sigma-edge --imbalance " + imbalance);

        double rounding = 3.0 / Cliques.EDGES; // one edge of a partition
        for (JsonNode report : reports.values()) {
            assertThat(report.path("edgeBalance").doubleValue())
                    .as("%s", report)
                    .isLessThanOrEqualTo(1 + Double.parseDouble(imbalance) + rounding);
        }
    }

    @Test
    void whatIsNoEdgeIsCountedAndSaid() throws IOException {
        Files.writeString(cliques.file, "1 2\n2 3\nnonsense here\n3 x\n1 3\n");

        CommandRun run = cliques.compare("--partitions 2 --algorithms hash --json");

        assertThat(run.exitCode()).isZero();
        assertThat(run.json().at("/0/deadLetters").longValue()).isEqualTo(2);
        assertThat(run.sentence())
                .contains("left out 2 of 5 records, which are malformed", "cliques.txt, 3, 'nonsense here'");
    }

    @Test
    void anInputWithoutEdgesIsAFailure() throws IOException {
        Files.writeString(cliques.file, "# nothing\n");

        CommandRun run = cliques.compare("--partitions 2");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.sentence()).contains("there is no edge in the input");
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "--partitions 0 | --partitions must be between 1 and 4096, but was 0",
                "--partitions 2 --kind all | --kind",
                "--partitions 2 --algorithms hash,metis | no algorithm named 'metis' of this kind; there are 2ps-l,",
                "--partitions 2 --algorithms ldg | no algorithm named 'ldg' of this kind",
                "--partitions 2 --kind vertex --algorithms hdrf | there are cutwater, fennel, grem",
                "--partitions 2 --algorithms 2ps-l --passes live | 2ps-l reads its whole input before it places",
                "--partitions 2,0 | --partitions must be between 1 and 4096, but was 0",
                "--partitions 2 --kind vertex --algorithms spring --passes live | spring reads its whole input before",
                "--partitions 2 --algorithms hdrf,hash --set window=3 | --set: none of hdrf, hash has a setting named 'window'",
                "--partitions 2 --training-imbalance 0.1 | --training-imbalance is for the vertices that a file names",
                "--partitions 2 --set lambda=x | --set: the setting 'lambda' of",
                "--partitions 2 --kind vertex --set gamma=0 | --set: the setting 'gamma' of",
                "--partitions 2 --imbalance -1 | --imbalance must be 0 or more",
                "--partitions 2 --imbalance 1e9 | --imbalance: the setting 'imbalance' of",
                "--partitions 2 --plot quality.pdf | --plot quality.pdf must end in .png or .svg",
                "--partitions 2 --plot missing/quality.png | --plot missing/quality.png: directory",
                "--partitions 2 --shuffle-seed x | --shuffle-seed",
                "--partitions 2 --buffers -1 | --buffers must be between 0 and 100000000 edges, but was -1",
                "--partitions 2 --buffers 9 --set buffer=8 | --buffers and --set buffer exclude each other",
                "--partitions 2 --buffers 9 --passes bulk | --buffers: no algorithm of this comparison places buffers",
                "--partitions 2 --input-format xml | --input-format must be one of",
                "--algorithms hash | --partitions",
            })
    void aWrongOptionIsNamedWithTheFix(String options, String sentence) {
        CommandRun run = cliques.compare(options);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.sentence()).contains(sentence);
        assertThat(run.err()).contains("See ./cutwater compare --help").doesNotContain("\tat ");
        assertThat(run.out()).isEmpty();
    }
}
