package io.cutwater.state.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.passes.VertexPassRunner;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.VertexPlacement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Facts on the smallest graphs that show them. */
class VertexPartitionerFactsTest {
    private static VertexPlacement place(String name, int k, Map<String, String> settings, AdjacencyGraph graph) {
        PartitionerOptions options = PartitionerOptions.ofVertices(name, k, 3, PassMode.BULK, settings);
        return VertexPassRunner.place(
                graph, Algorithms.vertexPartitioner(options, new GraphSize(graph.vertexCount(), graph.edgeCount())), k);
    }

    private static AdjacencyGraph cliques(int count, int size) {
        EdgeBatch edges = new EdgeBatch();
        for (int source = 0; source < size; source++) {
            for (int target = source + 1; target < size; target++) {
                for (int clique = 0; clique < count; clique++) {
                    edges.add(clique * 100 + source, clique * 100 + target);
                }
            }
        }
        return AdjacencyGraph.of(edges);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sigma-vertex", "cutwater", "grem"})
    void fourCliquesOnFourPartitionsStayWhole(String name) {
        AdjacencyGraph graph = cliques(4, 12);
        Quality quality =
                Quality.of(graph, place(name, 4, settings(name), graph).partitions(), 4);
        assertThat(quality.edgeCutRatio().orElseThrow()).isZero();
        assertThat(quality.vertexBalance()).isEqualTo(1.0);
    }

    /** Clusters as large as a clique, and a chunk that is the whole graph. */
    private static Map<String, String> settings(String name) {
        return switch (name) {
            case "cutwater" -> Map.of("grain", "1");
            case "grem" -> Map.of("chunk", "1");
            default -> Map.of();
        };
    }

    @Test
    void ldgGoesWhereTheNeighboursAreUntilThePartitionIsFull() {
        // A path of eight vertices on two partitions: four here, four there.
        EdgeBatch path = new EdgeBatch();
        for (int v = 1; v < 8; v++) {
            path.add(v - 1, v);
        }
        AdjacencyGraph graph = AdjacencyGraph.of(path);
        assertThat(place("ldg", 2, Map.of(), graph).partitions()).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
    }

    @Test
    void fennelWithALargeGammaSpreadsAPath() {
        EdgeBatch path = new EdgeBatch();
        for (int v = 1; v < 64; v++) {
            path.add(v - 1, v);
        }
        AdjacencyGraph graph = AdjacencyGraph.of(path);
        Quality flat = Quality.of(
                graph, place("fennel", 4, Map.of("gamma", "1.01"), graph).partitions(), 4);
        Quality steep = Quality.of(
                graph, place("fennel", 4, Map.of("gamma", "6"), graph).partitions(), 4);
        assertThat(steep.vertexBalance()).isLessThanOrEqualTo(flat.vertexBalance());
        assertThat(steep.edgeCutRatio().orElseThrow())
                .isGreaterThan(flat.edgeCutRatio().orElseThrow());
    }

    @Test
    void gremMovesAVertexWhoseLaterNeighboursAreElsewhere() {
        // Ten to thirteen and twenty to twenty-three are squares. Vertex 1 first comes with 10, then with the others.
        EdgeBatch edges = new EdgeBatch();
        for (int square = 10; square <= 20; square += 10) {
            edges.add(square, square + 1);
            edges.add(square + 1, square + 2);
            edges.add(square + 2, square + 3);
            edges.add(square + 3, square);
        }
        edges.add(1, 10);
        edges.add(10, 12);
        edges.add(1, 20);
        edges.add(1, 21);
        edges.add(1, 22);
        edges.add(1, 23);
        edges.add(20, 22);
        edges.add(21, 23);
        edges.add(1, 20);
        edges.add(1, 21);
        AdjacencyGraph graph = AdjacencyGraph.of(edges);
        VertexPlacement placement = place("grem", 2, Map.of("chunk", "0.5", "slack", "1.2"), graph);
        int one = slot(graph, 1);
        assertThat(placement.partition(one)).isEqualTo(placement.partition(slot(graph, 20)));
        VertexPlacement seedOnly = place("grem", 2, Map.of("chunk", "0.5", "slack", "1.2"), firstHalf(edges));
        assertThat(seedOnly.partition(one)).isEqualTo(seedOnly.partition(slot(graph, 10)));
    }

    private static AdjacencyGraph firstHalf(EdgeBatch edges) {
        EdgeBatch half = new EdgeBatch();
        for (int i = 0; i < edges.size() / 2; i++) {
            half.addFrom(edges, i);
        }
        return AdjacencyGraph.of(half);
    }

    private static int slot(AdjacencyGraph graph, long vertex) {
        for (int slot = 0; slot < graph.vertexCount(); slot++) {
            if (graph.vertex(slot) == vertex) {
                return slot;
            }
        }
        throw new IllegalArgumentException("no vertex " + vertex);
    }

    @Test
    void cutwaterHoldsBothCapsOnAGraphWithHubsAndOnOneWithCommunities() {
        for (int k : new int[] {2, 8}) { // with more, a hub is larger than a partition may be
            EdgeBatch hubs = new EdgeBatch();
            SyntheticGraph.rmat(12, 7).fill(hubs, 20_000);
            EdgeBatch communities = new EdgeBatch();
            SyntheticGraph.growingCommunities(60, 7).fill(communities, 20_000);
            for (EdgeBatch edges : new EdgeBatch[] {hubs, communities}) {
                AdjacencyGraph graph = AdjacencyGraph.of(edges);
                Quality quality =
                        Quality.of(graph, place("cutwater", k, Map.of(), graph).partitions(), k);
                assertThat(quality.vertexBalance()).as("k %d", k).isLessThanOrEqualTo(1.05);
                assertThat(quality.volumeBalance().orElseThrow()).as("k %d", k).isLessThanOrEqualTo(1.10);
            }
        }
    }

    @Test
    void cutwaterTakesTheCapsThatItIsGiven() {
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph.growingCommunities(60, 7).fill(edges, 20_000);
        AdjacencyGraph graph = AdjacencyGraph.of(edges);
        Quality wide = Quality.of(
                graph,
                place("cutwater", 8, Map.of("vertex-slack", "1.5", "volume-slack", "1.5"), graph)
                        .partitions(),
                8);
        Quality narrow = Quality.of(
                graph,
                place("cutwater", 8, Map.of("vertex-slack", "1.01", "volume-slack", "1.02"), graph)
                        .partitions(),
                8);
        assertThat(narrow.vertexBalance()).isLessThanOrEqualTo(1.01);
        assertThat(narrow.volumeBalance().orElseThrow()).isLessThanOrEqualTo(1.02);
        assertThat(wide.edgeCutRatio().orElseThrow())
                .isLessThan(narrow.edgeCutRatio().orElseThrow());
    }
}
