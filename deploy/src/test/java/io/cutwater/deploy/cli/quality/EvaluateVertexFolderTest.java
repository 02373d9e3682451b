package io.cutwater.deploy.cli.quality;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.format.folder.FolderStaging;
import io.cutwater.format.folder.OutputFolder;
import io.cutwater.format.folder.RunDescription;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** An output folder of a vertex partitioning: the path 0 - 1 - 2 - 3, cut between 1 and 2. */
class EvaluateVertexFolderTest {
    private static final List<PartitionQuality> HALVES =
            List.of(new PartitionQuality(0, 2, 3, 1, 2), new PartitionQuality(1, 2, 3, 1, 2));

    @TempDir
    private Path temp;

    private Path write(Quality told, TableFormat format) throws IOException {
        Path dir = temp.resolve("shards-" + format.label());
        try (OutputFolder folder = OutputFolder.open(dir, false)) {
            try (FolderStaging staging = FolderStaging.create(folder.staging(), 2)) {
                staging.append(0, edges(0, 1, 0, 0));
                staging.append(0, edges(1, 2, 0, 1));
                staging.append(1, edges(1, 2, 0, 1));
                staging.append(1, edges(2, 3, 1, 1));
                VertexBatch rows = new VertexBatch();
                for (int vertex = 0; vertex < 4; vertex++) {
                    boolean isAtCut = vertex == 1 || vertex == 2;
                    rows.add(vertex, isAtCut ? 2 : 1, vertex / 2);
                    for (int p = isAtCut ? 0 : vertex / 2; p <= (isAtCut ? 1 : vertex / 2); p++) {
                        rows.addReplica(p);
                    }
                }
                staging.append(rows);
                staging.flush();
            }
            RunDescription run = new RunDescription("0.1.0", "ldg", Map.of(), 7, 2, List.of());
            byte[] report = ReportJson.toPrettyString(new RunReport("ldg", 7, told, 2, 0))
                    .getBytes(StandardCharsets.UTF_8);
            folder.complete(PartitioningKind.VERTEX, run, format, 0, () -> report);
        }
        return dir;
    }

    private static EdgeBatch edges(long source, long target, int ofSource, int ofTarget) {
        EdgeBatch edge = new EdgeBatch();
        edge.add(source, target);
        edge.setPlace(0, Place.of(ofSource, ofTarget));
        return edge;
    }

    private static Quality quality() {
        return Quality.ofVertices(2, 4, 3, 1, HALVES);
    }

    private CommandRun evaluate(Path dir, String edges) throws IOException {
        Path file = Files.writeString(temp.resolve("edges.txt"), edges);
        return CommandRun.of(
                Cutwater::run, "evaluate", "--assignment", dir.toString(), "--edges", file.toString(), "--json");
    }

    @Test
    void theReportIsThatOfTheJobInEveryFormat() throws IOException {
        for (TableFormat format : TableFormat.values()) {
            CommandRun run = evaluate(write(quality(), format), "2 3\n0 1\n1 2\n");
            assertThat(run.exitCode()).as(run.err()).isZero();
            JsonNode report = new ObjectMapper().readTree(run.out());
            assertThat(report.path("kind").textValue()).isEqualTo("vertex");
            assertThat(report.path("algorithm").textValue()).isEqualTo("ldg");
            assertThat(report.path("edges").longValue()).isEqualTo(3);
            assertThat(report.path("deadLetters").longValue()).isEqualTo(1);
            assertThat(report.path("edgeCutRatio").doubleValue()).isEqualTo(1.0 / 3);
            assertThat(report.path("replicationFactorFullNeighbours").doubleValue())
                    .isEqualTo(6.0 / 4);
            assertThat(ReportJson.read(run.out().getBytes(StandardCharsets.UTF_8))
                            .quality())
                    .isEqualTo(quality());
        }
    }

    @Test
    void theGraphOfTheShardsIsWrittenForGephi() throws IOException {
        Path dir = write(quality(), TableFormat.CSV);
        Path gexf = temp.resolve("shards.gexf");
        String[] args = {"evaluate", "--assignment", dir.toString(), "--gexf", gexf.toString()};
        assertThat(CommandRun.of(Cutwater::run, args).exitCode()).isZero();

        Document graph = parse(gexf);
        NodeList shards = graph.getElementsByTagName("node");
        assertThat(shards.getLength()).isEqualTo(2);
        NodeList values = ((Element) shards.item(1)).getElementsByTagName("attvalue");
        assertThat(List.of(value(values, 0), value(values, 1), value(values, 2)))
                .containsExactly("2", "3", "2");
        Element edge = (Element) graph.getElementsByTagName("edge").item(0);
        assertThat(graph.getElementsByTagName("edge").getLength()).isEqualTo(1);
        assertThat(edge.getAttribute("source")).isEqualTo("0");
        assertThat(edge.getAttribute("target")).isEqualTo("1");
        assertThat(edge.getAttribute("weight")).isEqualTo("2"); // vertex 1 is in the halo of shard 1, and 2 of shard 0

        CommandRun again = CommandRun.of(Cutwater::run, args);
        assertThat(again.exitCode()).isEqualTo(2);
        assertThat(again.sentence()).contains("shards.gexf exists; name a new file");
    }

    private static String value(NodeList values, int at) {
        return ((Element) values.item(at)).getAttribute("value");
    }

    private static Document parse(Path file) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(e);
        }
    }

    @Test
    void anotherInputIsNotWhatTheShardsHold() throws IOException {
        Path dir = write(quality(), TableFormat.CSV);
        assertThat(evaluate(dir, "0 1\n1 2\n").sentence()).contains("assigns 3 edges, but --edges has 2");
        assertThat(evaluate(dir, "0 1\n1 2\n1 3\n").sentence()).contains("but not the same ones");
    }

    @Test
    void aReportThatTellsAnotherQualityIsFound() throws IOException {
        Path dir = write(
                Quality.ofVertices(2, 4, 3, 1, List.of(HALVES.get(0), new PartitionQuality(1, 2, 3, 0, 2))),
                TableFormat.CSV);
        CommandRun run = evaluate(dir, "2 3\n0 1\n1 2\n");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.sentence())
                .contains(
                        "report.json reports another quality than its shards have",
                        "3 edges, 4 vertices and 5 replicas, but counted 3 edges, 4 vertices and 6 replicas");
    }
}
