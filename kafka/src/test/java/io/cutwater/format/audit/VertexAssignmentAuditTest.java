package io.cutwater.format.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.quality.Quality;
import io.cutwater.testkit.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VertexAssignmentAuditTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void countsWhatTheDefinitionsSay(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int n = random.nextInt(2, 200);
        int k = random.nextInt(1, 100);
        int[] owners = IntStream.range(0, n).map(v -> random.nextInt(k)).toArray();
        EdgeBatch edges = new EdgeBatch();
        for (int i = random.nextInt(1, 600); i > 0; i--) {
            int source = random.nextInt(n);
            edges.add(source, random.nextInt(10) == 0 ? source : random.nextInt(n));
        }
        VertexAssignmentAudit recount = new VertexAssignmentAudit(owners, k);
        recount.add(edges);
        Quality quality = recount.report(0);

        Expected expected = new Expected(edges, owners);
        assertThat(quality.vertices()).isEqualTo(expected.vertices.size());
        assertThat(quality.edgeCutRatio().orElseThrow()).isCloseTo((double) expected.cut / edges.size(), within(1e-12));
        double average = (double) expected.vertices.size() / k;
        assertThat(quality.vertexBalance())
                .isCloseTo(Collections.max(expected.owned.values()) / average, within(1e-12));
        assertThat(quality.volumeBalance().orElseThrow())
                .isCloseTo(Collections.max(expected.volumes.values()) * (double) k / (2 * edges.size()), within(1e-12));
        int copies = expected.closed.values().stream().mapToInt(Set::size).sum();
        assertThat(quality.replicationFactor()).isCloseTo((double) copies / expected.vertices.size(), within(1e-12));
    }

    /** The definitions in plain sets. */
    private static final class Expected {
        final Set<Long> vertices = new HashSet<>();
        final Map<Integer, Integer> owned = new HashMap<>();
        final Map<Integer, Integer> volumes = new HashMap<>();
        final Map<Integer, Set<Long>> closed = new HashMap<>();
        int cut;

        Expected(EdgeBatch batch, int[] owners) {
            for (int i = 0; i < batch.size(); i++) {
                long[] ends = {batch.source(i), batch.target(i)};
                Set<Integer> parts = new HashSet<>();
                for (int end = 0; end < 2; end++) {
                    int owner = owners[(int) ends[end]];
                    parts.add(owner);
                    vertices.add(ends[end]);
                    volumes.merge(owner, 1, Integer::sum);
                    closed.computeIfAbsent(owner, p -> new HashSet<>()).addAll(List.of(ends[0], ends[1]));
                }
                cut += parts.size() - 1;
            }
            vertices.forEach(vertex -> owned.merge(owners[vertex.intValue()], 1, Integer::sum));
        }
    }

    @Test
    void aVertexWithoutOwnerIsRefused() {
        VertexAssignmentAudit recount = new VertexAssignmentAudit(new int[] {0, 1}, 2);
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, -1);

        assertThatThrownBy(() -> recount.add(edges)).hasMessageContaining("vertex -1 has an edge and no line");
    }

    @Test
    void anEmptyGraphIsNeitherCutNorOutOfBalance() {
        Quality quality = new VertexAssignmentAudit(new int[0], 3).report(0);

        assertThat(quality.edgeCutRatio().orElseThrow()).isZero();
        assertThat(List.of(quality.vertexBalance(), quality.volumeBalance().orElseThrow(), quality.replicationFactor()))
                .containsOnly(1.0);
    }

    /** Random owners differ from another tool's random owners, but cut and copies of so many edges hardly do. */
    @ParameterizedTest(name = "k = {0}")
    @CsvSource({"4", "8", "16", "32"})
    void randomOwnersAreAsBadAsTheReferenceSays(int k) throws IOException {
        Path graph = SharedData.file("data/amazon-computers/edges.txt.gz");
        int[] owners = IntStream.range(0, 13_752)
                .map(v -> Hashing.reduce(Hashing.mix64(k, v), k))
                .toArray();
        VertexAssignmentAudit recount = new VertexAssignmentAudit(owners, k);
        EdgeBatch batch = new EdgeBatch();
        try (EdgeFileReader reader = EdgeFiles.open(graph, EdgeFileFormat.TEXT, EdgeFilePosition.START)) {
            for (; reader.read(batch, EdgeBatch.DEFAULT_CAPACITY); batch.clear()) {
                recount.add(batch);
            }
        }
        Quality quality = recount.report(0);
        String[] reference = reference(k);

        assertThat(quality.vertices()).isEqualTo(13_471);
        assertThat(quality.edges()).isEqualTo(245_861);
        assertThat(quality.edgeCutRatio().orElseThrow())
                .isCloseTo(Double.parseDouble(reference[9]), Percentage.withPercentage(1));
        assertThat(quality.replicationFactor())
                .isCloseTo(Double.parseDouble(reference[11]), Percentage.withPercentage(1));
    }

    private static String[] reference(int k) throws IOException {
        List<String[]> rows = new ArrayList<>();
        for (String line : Files.readAllLines(SharedData.file("reference-quality.csv"))) {
            if (line.startsWith("amazon-computers,sorted,%d,vertex,Random,ref,".formatted(k))) {
                rows.add(line.split(",", -1));
            }
        }
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }
}
