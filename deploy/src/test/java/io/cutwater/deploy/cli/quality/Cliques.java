package io.cutwater.deploy.cli.quality;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Two cliques of ten vertices, which nothing joins, as input of {@code compare}. */
final class Cliques {
    static final int CLIQUE = 10;
    static final int EDGES = CLIQUE * (CLIQUE - 1);

    final Path file;

    Cliques(Path folder) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int u = 0; u < CLIQUE; u++) {
            for (int v = u + 1; v < CLIQUE; v++) {
                lines.add(u + " " + v);
                lines.add((u + CLIQUE) + " " + (v + CLIQUE));
            }
        }
        file = Files.write(folder.resolve("cliques.txt"), lines);
    }

    /** Runs {@code compare} on the graph. */
    CommandRun compare(String options) {
        String line = "compare --edges " + file + " " + options;
        return CommandRun.of(Cutwater::run, line.split(" +", -1));
    }

    /** Returns the reports of {@code compare} by kind, algorithm and passes. */
    Map<String, JsonNode> reports(String options) {
        CommandRun run = compare(options + " --json");
        assertThat(run.exitCode()).as(run.err()).isZero();
        Map<String, JsonNode> reports = new LinkedHashMap<>();
        for (JsonNode report : run.json()) {
            String row = "%s %s %s"
                    .formatted(
                            report.path("kind").textValue(),
                            report.path("algorithm").textValue(),
                            report.path("passes").textValue());
            assertThat(reports.put(row, report)).as(row).isNull();
        }
        return reports;
    }
}
