package io.cutwater.format.metis;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.dgl.DglFilesTest;
import io.cutwater.format.folder.Manifest;
import io.cutwater.format.folder.SampleRun;
import io.cutwater.format.folder.SampleRun.Edge;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitioningKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetisFilesTest {
    @TempDir
    Path temp;

    @ParameterizedTest(name = "k = {0}, {1} edges of {2} vertices")
    @CsvSource({"1, 50, 400", "4, 20000, 300", "9, 5000, 3000", "300, 900, 500"})
    void ourOwnReaderFindsEachUndirectedEdgeOfTheInputOnce(int k, int edges, int vertices) throws IOException {
        SampleRun run = new SampleRun(k, k, edges, vertices, true, true);
        run.write(temp.resolve("out"), TableFormat.METIS);
        Path graph = temp.resolve("out/metis/graph.metis");
        List<Long> ids = Files.readAllLines(temp.resolve("out/metis/graph.ids")).stream()
                .map(Long::valueOf)
                .toList();
        assertThat(ids).containsExactlyElementsOf(run.replicas.keySet());

        Set<List<Long>> expected = run.shards.stream()
                .flatMap(List::stream)
                .filter(edge -> edge.source() != edge.target())
                .map(MetisFilesTest::undirected)
                .collect(Collectors.toSet());
        List<List<Long>> read = read(graph, ids);
        assertThat(read).hasSameSizeAs(expected);
        assertThat(Set.copyOf(read)).isEqualTo(expected);
        try (var lines = Files.lines(graph)) {
            assertThat(lines.findFirst()).contains(ids.size() + " " + expected.size());
        }
        assertThat(Arrays.stream(PartFileReader.readAll(temp.resolve("out/metis/graph.metis.part." + k)))
                        .mapToObj(Integer::toString)
                        .toList())
                .isEqualTo(DglFilesTest.owners(run));
    }

    @Test
    void aVertexPartitioningGivesItsOwnersAndTheSameGraph() throws IOException {
        SampleRun run = new SampleRun(PartitioningKind.VERTEX, 6, 6, 5_000, 700, false, false);
        run.write(temp.resolve("out"), TableFormat.METIS);
        List<Long> ids = Files.readAllLines(temp.resolve("out/metis/graph.ids")).stream()
                .map(Long::valueOf)
                .toList();
        assertThat(PartFileReader.readAll(temp.resolve("out/metis/graph.metis.part.6")))
                .isEqualTo(ids.stream().mapToInt(run.owners::get).toArray());
        List<List<Long>> read = read(temp.resolve("out/metis/graph.metis"), ids);
        assertThat(read).doesNotHaveDuplicates();
        assertThat(Set.copyOf(read))
                .isEqualTo(run.input.stream()
                        .filter(edge -> edge.source() != edge.target())
                        .map(MetisFilesTest::undirected)
                        .collect(Collectors.toSet()));
    }

    private static List<Long> undirected(Edge edge) {
        return List.copyOf(new TreeSet<>(Set.of(edge.source(), edge.target())));
    }

    private static List<List<Long>> read(Path graph, List<Long> ids) throws IOException {
        List<List<Long>> edges = new ArrayList<>();
        EdgeBatch batch = new EdgeBatch();
        try (EdgeFileReader reader = EdgeFiles.open(graph, EdgeFileFormat.METIS, EdgeFilePosition.START)) {
            for (; reader.read(batch, EdgeBatch.DEFAULT_CAPACITY); batch.clear()) {
                for (int i = 0; i < batch.size(); i++) {
                    long source = ids.get((int) batch.source(i));
                    long target = ids.get((int) batch.target(i));
                    edges.add(List.copyOf(new TreeSet<>(Set.of(source, target))));
                }
            }
        }
        return edges;
    }

    @Test
    void aVertexWithNothingButALoopHasAnEmptyLine() throws IOException {
        SampleRun run = new SampleRun(1, 2, 0, 1, false, false);
        run.add(0, new Edge(8, 9, Double.NaN, Long.MIN_VALUE));
        run.add(0, new Edge(9, 8, Double.NaN, Long.MIN_VALUE));
        run.add(1, new Edge(-1, -1, Double.NaN, Long.MIN_VALUE));
        Manifest manifest = run.write(temp.resolve("out"), TableFormat.METIS);

        assertThat(temp.resolve("out/metis/graph.metis")).content().isEqualTo("3 1\n\n3\n2\n");
        assertThat(temp.resolve("out/metis/graph.ids")).content().isEqualTo("-1\n8\n9\n");
        assertThat(temp.resolve("out/metis/graph.metis.part.2")).content().isEqualTo("1\n0\n0\n");
        assertThat(manifest.files()).containsKeys("metis/graph.metis", "metis/graph.ids", "metis/graph.metis.part.2");
        assertThat(run.write(temp.resolve("again"), TableFormat.METIS)).isEqualTo(manifest);
    }
}
