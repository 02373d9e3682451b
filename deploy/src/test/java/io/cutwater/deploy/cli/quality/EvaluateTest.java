package io.cutwater.deploy.cli.quality;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.testkit.CommandRun;
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

    private static CommandRun evaluate(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "evaluate";
        System.arraycopy(args, 0, all, 1, args.length);
        return CommandRun.of(Cutwater::run, all);
    }

    private static void isHalvedStar(CommandRun run) throws IOException {
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
        CommandRun run = evaluate("--assignment", file("star.part", "0\n1\n0\n1\n"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.sentence()).contains("name them with --edges");
    }

    @Test
    void aFileOfAnotherLengthIsRefused() throws IOException {
        CommandRun shorter = evaluate("--edges", star, "--assignment", file("short.part", "0\n1\n"));
        CommandRun asEdges =
                evaluate("--edges", star, "--kind", "edge", "--assignment", file("long.part", "0\n1\n0\n1\n0\n"));

        assertThat(shorter.exitCode()).isEqualTo(1);
        assertThat(shorter.sentence())
                .contains("short.part has 2 lines, but --edges has 4 edges, and ids from 0 to 4", "--kind vertex");
        assertThat(asEdges.exitCode()).isEqualTo(1);
        assertThat(asEdges.sentence()).contains("long.part has 5 lines, but --edges has 4 edges");
    }

    /** The hub with two leaves on partition 0, the other leaves on partition 1. */
    private static void isStarOfThreeAndTwoVertices(CommandRun run) throws IOException {
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(run.out());
        assertThat(report.path("kind").textValue()).isEqualTo("vertex");
        assertThat(report.path("partitions").intValue()).isEqualTo(2);
        assertThat(report.path("vertices").longValue()).isEqualTo(5);
        assertThat(report.path("edges").longValue()).isEqualTo(4);
        assertThat(report.path("deadLetters").longValue()).isZero();
        assertThat(report.path("edgeCutRatio").doubleValue()).isEqualTo(2.0 / 4);
        assertThat(report.path("vertexBalance").doubleValue()).isEqualTo(3 * 2.0 / 5);
        assertThat(report.path("volumeBalance").doubleValue()).isEqualTo(6 * 2.0 / 8);
        assertThat(report.path("replicationFactorFullNeighbours").doubleValue()).isEqualTo((5.0 + 3.0) / 5);
        assertThat(report.has("replicationFactor")).isFalse();
        assertThat(report.has("edgeBalance")).isFalse();
        assertThat(report.at("/perPartition/1").toString())
                .isEqualTo("{\"partition\":1,\"vertices\":2,\"haloVertices\":1,\"edges\":2,\"volume\":2}");
    }

    @Test
    void aFileOfOwnersIsToldByItsLength() throws IOException {
        isStarOfThreeAndTwoVertices(
                evaluate("--edges", star, "--assignment", file("star.part.2", "0\n0\n0\n1\n1\n"), "--json"));
    }

    @Test
    void aMetisFileSaysHowManyVerticesHaveNoEdge() throws IOException {
        String graph = file("star.graph", "7 4\n2 3 4 5\n1\n1\n1\n1\n\n\n");
        String owners = file("star.graph.part.2", "0\n0\n0\n1\n1\n0\n1\n");

        isStarOfThreeAndTwoVertices(evaluate("--edges", graph, "--assignment", owners, "--json"));
        assertThat(evaluate("--edges", star, "--assignment", owners).exitCode()).isEqualTo(1);
        isStarOfThreeAndTwoVertices(evaluate("--edges", star, "--assignment", owners, "--kind", "vertex", "--json"));
    }

    @Test
    void asManyEdgesAsVerticesNeedTheKind() throws IOException {
        String ring = file("ring.txt", "0 1\n1 2\n2 3\n3 0\n");
        String part = file("ring.part.2", "0\n0\n1\n1\n");

        CommandRun unsaid = evaluate("--edges", ring, "--assignment", part);
        assertThat(unsaid.exitCode()).isEqualTo(1);
        assertThat(unsaid.sentence()).contains("--kind edge or --kind vertex");
        CommandRun ofEdges = evaluate("--edges", ring, "--assignment", part, "--kind", "edge");
        assertThat(ofEdges.out()).contains("(edge partitioning)", "replication factor  1.5000");
        CommandRun ofVertices = evaluate("--edges", ring, "--assignment", part, "--kind", "vertex");
        assertThat(ofVertices.out())
                .contains("(vertex partitioning)", "edge-cut ratio      0.5000", "replication factor  2.0000");
    }

    @Test
    void aVertexWithoutOwnerIsNamed() throws IOException {
        CommandRun run = evaluate("--edges", star, "--assignment", file("p", "0\n1\n"), "--kind", "vertex");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.sentence()).contains("vertex 2 has an edge and no line", "the vertices 0 to 1");
    }

    @Test
    void theKindOfWhatTellsItIsNotAsked() throws IOException {
        CommandRun ofTriples =
                evaluate("--assignment", file("star.assigned", "0 1 0\n"), "--kind", "edge", "--edges", star);
        CommandRun withoutEdges = evaluate("--assignment", file("p", "0\n"), "--kind", "vertex");

        assertThat(ofTriples.exitCode()).isEqualTo(2);
        assertThat(ofTriples.sentence()).contains("--kind is for files with one partition per line");
        assertThat(withoutEdges.exitCode()).isEqualTo(2);
        assertThat(withoutEdges.sentence()).contains("--kind needs the edges");
    }

    @Test
    void anEdgeThatIsLostOrExchangedIsFound() throws IOException {
        CommandRun lost = evaluate("--edges", star, "--assignment", file("lost", "0 1 0\n0 2 0\n0 3 1\n"));
        CommandRun other = evaluate("--edges", star, "--assignment", file("other", "0 1 0\n0 2 0\n0 3 1\n0 3 1\n"));

        assertThat(lost.exitCode()).isEqualTo(1);
        assertThat(lost.sentence()).contains("assigns 3 edges, but --edges has 4");
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.sentence()).contains("but not the same ones");
    }

    @Test
    void aFolderThatIsNoOutputFolderIsRefused() {
        CommandRun run = evaluate("--assignment", folder.toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.sentence()).contains("is not a complete output folder");
    }
}
