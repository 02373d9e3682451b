package io.cutwater.deploy.cli.partition;

import static io.cutwater.deploy.cli.partition.PartitionRuns.succeed;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutwater.deploy.cli.Cutwater;
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
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Inputs of {@code partition} with duplicates, text ids or malformed records, and empty ones. */
class PartitionInputIT {
    @TempDir
    private Path folder;

    private PartitionRuns runs;

    @BeforeEach
    void writeGraph() throws IOException {
        runs = new PartitionRuns(folder);
    }

    @ParameterizedTest
    @CsvSource({"--dedupe, false, --progress=off", "--dedupe=undirected, true, --via-kafka"})
    void duplicatesAreDroppedAndCountedIfTheUserSaysSo(String option, boolean isUndirected, String way)
            throws IOException {
        List<String> lines = Files.readAllLines(runs.graph);
        List<String> twice = new ArrayList<>(lines);
        lines.forEach(line -> twice.add(line.replaceAll("(\\d+) (\\d+)", isUndirected ? "$2 $1" : "$1 $2 9.5")));
        Files.write(runs.graph, twice);
        Set<String> distinct = new HashSet<>();
        for (String line : lines) {
            String[] ends = line.split(" ", -1);
            boolean isTurned = isUndirected && Long.parseLong(ends[0]) > Long.parseLong(ends[1]);
            distinct.add(isTurned ? ends[1] + " " + ends[0] : line);
        }

        CommandRun run = succeed(runs.partition(runs.graph, "--json", option, way));
        assertThat(run.json().path("edges").longValue()).isEqualTo(distinct.size());
        int dropped = twice.size() - distinct.size();
        assertThat(run.err()).contains("dropped %,d duplicates of %,d edges".formatted(dropped, twice.size()));
        JsonNode manifest = runs.manifest();
        assertThat(manifest.at("/counts/duplicates").intValue()).isEqualTo(dropped);
        assertThat(manifest.at("/counts/deadLetters").intValue()).isZero();
        assertThat(manifest.at("/run/parameters/dedupe").textValue())
                .isEqualTo(isUndirected ? "undirected" : "directed");
        assertThat(runs.out.resolve("shards/00000/edges.csv")).content().doesNotContain("9.5");

        runs.evaluate();
    }

    @ParameterizedTest
    @CsvSource({"--progress=off", "--via-kafka"})
    void idsThatAreTextAreNumberedAndToldInTheFolder(String option) throws IOException {
        List<String> lines = Files.readAllLines(runs.graph);
        succeed(runs.partition(runs.graph));
        Quality ofNumbers = runs.quality();
        List<String> named = new ArrayList<>(List.of("src dst weight"));
        lines.forEach(line -> named.add(line.replaceAll("(\\d+) (\\d+)", "v\"$1 v\"$2 0.25")));
        named.add("alone");
        Files.write(runs.graph, named);

        CommandRun run = succeed(runs.partition(runs.graph, "--ids", "text", "--overwrite", option));
        Quality quality = runs.quality();
        assertThat(quality.vertices()).isEqualTo(ofNumbers.vertices());
        assertThat(quality.edges()).isEqualTo(ofNumbers.edges());
        assertThat(quality.deadLetters()).isEqualTo(1);
        assertThat(runs.out.resolve("dead-letters.csv")).content().contains("graph.txt", "," + named.size() + ",alone");
        assertThat(shardEdges()).containsExactlyInAnyOrderElementsOf(named.subList(1, named.size() - 1));
        JsonNode manifest = runs.manifest();
        assertThat(manifest.at("/run/parameters/ids").textValue()).isEqualTo("text");
        assertThat(manifest.at("/run/input/0/file").textValue()).isEqualTo(runs.graph.toString());

        runs.evaluate();
        Files.write(runs.graph, List.of("v\"1 stranger"));
        assertThat(CommandRun.of(
                                Cutwater::run,
                                "evaluate",
                                "--assignment",
                                runs.out.toString(),
                                "--edges",
                                runs.graph.toString())
                        .exitCode())
                .isEqualTo(1);
    }

    /** The edges of all shards with the names of their ends. */
    private List<String> shardEdges() throws IOException {
        List<String> names = Files.readAllLines(runs.out.resolve("ids.csv")).stream()
                .skip(1)
                .map(row ->
                        row.substring(row.indexOf(',') + 2, row.length() - 1).replace("\"\"", "\""))
                .toList();
        List<String> edges = new ArrayList<>();
        for (int shard = 0; shard < 4; shard++) {
            List<String> rows = Files.readAllLines(runs.out.resolve("shards/%05d/edges.csv".formatted(shard)));
            for (String row : rows.subList(1, rows.size())) {
                String[] fields = row.split(",", -1);
                edges.add(names.get(Integer.parseInt(fields[0])) + " " + names.get(Integer.parseInt(fields[1])) + " "
                        + fields[2]);
            }
        }
        return edges;
    }

    @Test
    void tooManyBadRecordsFailTheRunAndLeaveNoFolder() throws IOException {
        Files.writeString(runs.graph, "1 2\n3 x\n4 5\n");

        CommandRun run = runs.partition(runs.graph);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.sentence())
                .isEqualTo("cutwater: 1 of 3 records is malformed, more than --max-malformed 0.01 allows, so"
                        + " there is no output folder; check the input, or allow more");
        assertThat(run.out()).contains("dead letters        1");
        assertThat(runs.children()).containsExactly("graph.txt");

        succeed(runs.partition(runs.graph, "--max-malformed", "0.5"));
        assertThat(runs.out.resolve("dead-letters.csv")).content().contains("graph.txt", ",2,");
    }

    @Test
    void namesInsteadOfNumbersAreAnsweredWithTheOptionForThem() throws IOException {
        Files.writeString(runs.graph, "ann bob\nbob carl\n");

        CommandRun run = runs.partition(runs.graph);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.sentence())
                .endsWith("check the input, give --ids text if its vertices have names, or allow more");
    }

    @Test
    void aTruncatedFileFailsTheRunInOneSentence() throws IOException {
        Path packed = runs.folder.resolve("graph.txt.gz");
        try (OutputStream file = new GZIPOutputStream(Files.newOutputStream(packed))) {
            Files.copy(runs.graph, file);
        }
        byte[] bytes = Files.readAllBytes(packed);
        Files.write(packed, Arrays.copyOf(bytes, bytes.length / 2));

        CommandRun run = runs.partition(packed);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(2).first().isEqualTo("starting Flink in this process");
        assertThat(run.sentence()).startsWith("cutwater: ").contains("graph.txt.gz");
        assertThat(runs.out).doesNotExist();
        assertThat(runs.children()).containsExactlyInAnyOrder("graph.txt", "graph.txt.gz");
    }

    @Test
    void anEmptyInputIsPartitionedIntoEmptyShards() throws IOException {
        Files.writeString(runs.graph, "# nothing\n");

        CommandRun run = succeed(runs.partition(runs.graph, "--json"));
        assertThat(run.json().path("edges").longValue()).isZero();
        assertThat(run.err()).contains("there is no edge in the input");
    }
}
