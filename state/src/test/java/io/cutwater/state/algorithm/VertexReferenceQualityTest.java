package io.cutwater.state.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.ReferenceTable;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.passes.VertexPassRunner;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.VertexPlacement;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Quality on real graphs against what a textbook implementation reached there. Vertices come by id, as they did there;
 * those without an edge come, too, and count for the caps. SPRING and SIGMA are held to the figures in a random order
 * as well. What LDG and Fennel reach depends on which random order of the vertices it is, and nobody knows that of the
 * reference: their replication factor is held to the figures on average.
 */
class VertexReferenceQualityTest {
    private static final Map<String, String> NAMES = Map.of(
            "Random", "hash", "LDG", "ldg", "Fennel", "fennel", "SPRING", "spring", "SIGMA-vertex", "sigma-vertex");

    private static final List<String> STREAM_RULES = List.of("ldg", "fennel");

    /** A line of the reference. */
    private record Reference(
            int partitionCount,
            String algorithm,
            double vertexBalance,
            double edgeCut,
            double volumeBalance,
            double factor) {}

    @ParameterizedTest
    @CsvSource({
        "amazon-computers, 13752",
        "cit-hepph, 34546",
        "coauthor-cs, 18333",
        "musae-facebook, 22470",
        "soc-slashdot0902, 82168"
    })
    void isAsGoodAsTheTextbookOn(String dataset, int vertexCount) throws IOException {
        SoftAssertions softly = new SoftAssertions();
        for (String order : List.of("random", "sorted")) {
            List<Reference> references = references(dataset, order);
            assertThat(references).as("references in %s order", order).hasSizeGreaterThanOrEqualTo(10);
            AdjacencyGraph graph = graph(dataset, vertexCount, order);
            for (Reference reference : references) {
                int k = reference.partitionCount;
                if (order.equals("sorted") && reference.algorithm.equals("spring") && (k == 8 || k == 32)) {
                    checkCutwater(softly, dataset, graph, reference);
                }
                // To save time, two numbers of partitions; the sorted order has all of them.
                if (order.equals("random") && (STREAM_RULES.contains(reference.algorithm) || k == 4 || k == 16)) {
                    continue;
                }
                // On the two large graphs SPRING alone in a random order: the others take half of the time.
                if (order.equals("random") && vertexCount > 50_000 && !reference.algorithm.equals("spring")) {
                    continue;
                }
                check(softly, dataset, order, graph, reference);
            }
        }
        softly.assertAll();
    }

    @Tag("campaign")
    @ParameterizedTest
    @CsvSource("uk-2007-05-100k, 100000")
    void isAsGoodOnALargeGraph(String dataset, int vertexCount) throws IOException {
        isAsGoodAsTheTextbookOn(dataset, vertexCount);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ldg", "fennel"})
    void inARandomOrderItIsAsGoodOnAverage(String algorithm) throws IOException {
        double factors = 0;
        int count = 0;
        for (Map.Entry<String, Integer> dataset : Map.of(
                        "amazon-computers", 13_752, "coauthor-cs", 18_333, "musae-facebook", 22_470)
                .entrySet()) {
            AdjacencyGraph graph = graph(dataset.getKey(), dataset.getValue(), "random");
            for (Reference reference : references(dataset.getKey(), "random")) {
                if (reference.algorithm.equals(algorithm)) {
                    int k = reference.partitionCount;
                    Quality quality =
                            Quality.of(graph, place(graph, algorithm, k).partitions(), k);
                    factors += quality.replicationFactor() / reference.factor;
                    count++;
                }
            }
        }
        assertThat(count).isGreaterThanOrEqualTo(10);
        assertThat(factors / count).as("replication factor").isCloseTo(1, within(0.03));
    }

    private static void check(
            SoftAssertions softly, String dataset, String order, AdjacencyGraph graph, Reference reference) {
        int k = reference.partitionCount;
        String what = "%s, %s, %s".formatted(dataset, order, reference);
        VertexPlacement placement = place(graph, reference.algorithm, k);
        Quality quality = Quality.of(graph, placement.partitions(), k);
        softly.assertThat(quality.edgeCutRatio().orElseThrow())
                .as("edge cut: %s", what)
                .isLessThanOrEqualTo(reference.edgeCut * (1 + cutTolerance(reference.algorithm, order)));
        softly.assertThat(quality.replicationFactor())
                .as("replication factor: %s", what)
                .isLessThanOrEqualTo(reference.factor * 1.03);
        softly.assertThat(fullest(placement) * k / graph.vertexCount())
                .as("vertex balance: %s", what)
                .isLessThanOrEqualTo(Math.max(reference.vertexBalance * 1.03, cap(reference)));
        if (STREAM_RULES.contains(reference.algorithm)) {
            // No randomness is left: the very same figures.
            softly.assertThat(quality.edgeCutRatio().orElseThrow()).as(what).isCloseTo(reference.edgeCut, within(1e-4));
            softly.assertThat(quality.volumeBalance().orElseThrow())
                    .as(what)
                    .isCloseTo(reference.volumeBalance, within(1e-4));
            softly.assertThat(quality.replicationFactor()).as(what).isCloseTo(reference.factor, within(1e-4));
        }
    }

    /** 3 %; on one graph of the 24 the cut of SIGMA is 5 % above, at a lower replication factor and better balance. */
    private static double cutTolerance(String algorithm, String order) {
        return algorithm.equals("sigma-vertex") && order.equals("sorted") ? 0.05 : 0.03;
    }

    /** Vertex balance up to which SPRING and SIGMA may go by their own rule. */
    private static double cap(Reference reference) {
        return switch (reference.algorithm) {
            case "spring" -> Math.max(1.05, reference.vertexBalance * 1.045); // it caps clusters, not partitions
            case "sigma-vertex" -> 1.03;
            case "hash" -> reference.vertexBalance + 0.06; // the luck of the seed
            default -> 0;
        };
    }

    /** Ours on the same graph: both caps, and copies of vertices against those of SPRING. */
    private static void checkCutwater(SoftAssertions softly, String dataset, AdjacencyGraph graph, Reference spring) {
        int k = spring.partitionCount;
        VertexPlacement placement = place(graph, "cutwater", k);
        Quality quality = Quality.of(graph, placement.partitions(), k);
        softly.assertThat(fullest(placement) * k / graph.vertexCount())
                .as("vertex balance of cutwater on %s, k %d", dataset, k)
                .isLessThanOrEqualTo(1.05);
        softly.assertThat(quality.volumeBalance().orElseThrow())
                .as("volume balance of cutwater on %s, k %d", dataset, k)
                .isLessThanOrEqualTo(1.10);
        softly.assertThat(quality.replicationFactor() / spring.factor)
                .as("replication factor of cutwater over that of %s on %s", spring, dataset)
                .isLessThanOrEqualTo(dataset.startsWith("soc") ? 0.92 : dataset.startsWith("uk") ? 0.85 : 0.65);
    }

    private static double fullest(VertexPlacement placement) {
        return LongStream.range(0, placement.partitionCount())
                .map(p -> placement.vertices((int) p))
                .max()
                .orElseThrow();
    }

    private static List<Reference> references(String dataset, String order) throws IOException {
        return ReferenceTable.lines().stream()
                .map(line -> line.split(",", -1))
                .filter(row -> row[0].equals(dataset) && row[1].equals(order))
                .filter(row -> row[3].equals("vertex") && NAMES.containsKey(row[4]) && row[5].equals("ref"))
                .map(row -> new Reference(
                        Integer.parseInt(row[2]),
                        NAMES.get(row[4]),
                        Double.parseDouble(row[8]),
                        Double.parseDouble(row[9]),
                        Double.parseDouble(row[10]),
                        Double.parseDouble(row[11])))
                .toList();
    }

    private static AdjacencyGraph graph(String dataset, int vertexCount, String order) {
        boolean isRandom = order.equals("random");
        EdgeBatch edges = SharedGraph.read("data/" + dataset + "/" + (isRandom ? "edges.rnd.txt.gz" : "edges.txt.gz"));
        long[] vertices = LongStream.range(0, vertexCount).toArray();
        if (isRandom) {
            SplittableRandom random = new SplittableRandom(1);
            for (int i = vertexCount - 1; i > 0; i--) {
                int j = random.nextInt(i + 1);
                long vertex = vertices[i];
                vertices[i] = vertices[j];
                vertices[j] = vertex;
            }
        }
        return AdjacencyGraph.of(vertices, edges);
    }

    private static VertexPlacement place(AdjacencyGraph graph, String algorithm, int k) {
        PartitionerOptions options = PartitionerOptions.ofVertices(algorithm, k, 16, PassMode.BULK, Map.of());
        GraphSize size = new GraphSize(graph.vertexCount(), graph.edgeCount());
        return VertexPassRunner.place(graph, Algorithms.vertexPartitioner(options, size), k);
    }
}
