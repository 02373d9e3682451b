package io.cutwater.deploy.cli.partition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.format.json.ReportJson;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.quality.Quality;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Runs of {@code partition} on a small graph, with the folder that they write. */
final class PartitionRuns {
    static final int EDGES = 5_000;

    final Path folder;
    final Path graph;
    final Path out;

    PartitionRuns(Path folder) throws IOException {
        this.folder = folder;
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

    /** Runs {@code partition} with HDRF and 4 partitions. */
    CommandRun partition(Path edges, String... more) {
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

    /** Checks that a command has succeeded. */
    static CommandRun succeed(CommandRun run) {
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run;
    }

    /** Evaluates the output folder on the graph. */
    CommandRun evaluate() {
        return succeed(CommandRun.of(
                Cutwater::run, "evaluate", "--assignment", out.toString(), "--edges", graph.toString(), "--json"));
    }

    /** Returns the quality in the report of the output folder. */
    Quality quality() throws IOException {
        return ReportJson.read(Files.readAllBytes(out.resolve("report.json"))).quality();
    }

    JsonNode manifest() throws IOException {
        return new ObjectMapper().readTree(out.resolve("manifest.json").toFile());
    }

    /** Checks that {@code evaluate} counts what the report says. */
    void assertReportIsWhatEvaluateCounts() throws IOException {
        assertThat(ReportJson.read(evaluate().out().getBytes(UTF_8)).quality()).isEqualTo(quality());
    }

    /** Returns the names of what is in the folder of the graph. */
    List<String> children() throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.map(child -> child.getFileName().toString()).toList();
        }
    }
}
