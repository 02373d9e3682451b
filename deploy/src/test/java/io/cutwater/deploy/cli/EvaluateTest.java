package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Assignments of other tools: a star of four leaves, halved. */
class EvaluateTest {
    @TempDir
    private Path folder;

    private String star = "";

    @BeforeEach
    void writeStar() throws IOException {
        star = file("star.txt", "0 1 0.5\n0 2 0.5\n0 3 0.5\n0 4 0.5\n");
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    private static CommandLineRun evaluate(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "evaluate";
        System.arraycopy(args, 0, all, 1, args.length);
        return CommandLineRun.of(all);
    }

    private static void isHalvedStar(CommandLineRun run) throws IOException {
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(run.out());
        assertThat(report.path("partitions").intValue()).isEqualTo(2);
        assertThat(report.path("edges").longValue()).isEqualTo(4);
        assertThat(report.path("vertices").longValue()).isEqualTo(5);
        assertThat(report.path("replicationFactor").doubleValue()).isEqualTo(6.0 / 5);
        assertThat(report.path("edgeBalance").doubleValue()).isEqualTo(1);
    }

    @Test
    void aFileOfPartitionsIsReadBesideTheEdges() throws IOException {
        isHalvedStar(evaluate("--edges", star, "--assignment", file("star.part.2", "0\n1\n0\n1\n"), "--json"));
    }

    @Test
    void triplesNeedNoEdges() throws IOException {
        String triples = file("star.assigned", "0 1 0\n0 2 0\n0 3 1\n0 4 1\n");

        isHalvedStar(evaluate("--assignment", triples, "--json"));
        isHalvedStar(evaluate("--assignment", triples, "--edges", star, "--json"));
    }

    @Test
    void partitionsWithoutEdgesSayNothing() throws IOException {
        CommandLineRun run = evaluate("--assignment", file("star.part", "0\n1\n0\n1\n"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.sentence()).contains("give these with --edges");
    }

    @Test
    void aFileOfAnotherLengthIsRefused() throws IOException {
        CommandLineRun shorter = evaluate("--edges", star, "--assignment", file("short.part", "0\n1\n"));
        CommandLineRun longer = evaluate("--edges", star, "--assignment", file("long.part", "0\n1\n0\n1\n0\n"));

        assertThat(shorter.exitCode()).isEqualTo(1);
        assertThat(shorter.sentence()).contains("short.part has 2 lines, but --edges has more edges");
        assertThat(longer.exitCode()).isEqualTo(1);
        assertThat(longer.sentence()).contains("long.part has 5 lines, but --edges has 4 edges");
    }

    @Test
    void anEdgeThatIsLostOrExchangedIsFound() throws IOException {
        CommandLineRun lost = evaluate("--edges", star, "--assignment", file("lost", "0 1 0\n0 2 0\n0 3 1\n"));
        CommandLineRun other = evaluate("--edges", star, "--assignment", file("other", "0 1 0\n0 2 0\n0 3 1\n0 3 1\n"));

        assertThat(lost.exitCode()).isEqualTo(1);
        assertThat(lost.sentence()).contains("assigns 3 edges, but --edges has 4");
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.sentence()).contains("but not the same ones");
    }

    @Test
    void aFolderThatIsNoOutputFolderIsRefused() {
        CommandLineRun run = evaluate("--assignment", folder.toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.sentence()).contains("is no complete output folder");
    }
}
