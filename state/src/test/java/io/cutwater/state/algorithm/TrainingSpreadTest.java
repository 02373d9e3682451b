package io.cutwater.state.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.TrainingVertices;
import io.cutwater.state.passes.VertexPassRunner;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.VertexPlacement;
import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Vertices that are trained on are spread over the partitions. */
class TrainingSpreadTest {
    private static VertexPlacement place(AdjacencyGraph graph, String name, int k, TrainingVertices training) {
        PartitionerOptions options = PartitionerOptions.ofVertices(name, k, 16, PassMode.BULK, Map.of());
        GraphSize size = new GraphSize(graph.vertexCount(), graph.edgeCount());
        return VertexPassRunner.place(graph, Algorithms.vertexPartitioner(options, size), k, training);
    }

    private static long fullest(VertexPlacement placement) {
        return LongStream.range(0, placement.partitionCount())
                .map(p -> placement.training((int) p))
                .max()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sigma-vertex", "cutwater"})
    void noPartitionHasMoreThanItMayOnAnyGraph(String name) {
        for (long seed = 0; seed < 40; seed++) {
            AdjacencyGraph graph = AdjacencyGraph.of(RandomGraphs.graph(seed));
            SplittableRandom random = new SplittableRandom(seed);
            // Those that come first, and so are close to each other: the worst there is.
            long[] ids = LongStream.range(0, graph.vertexCount() / 2)
                    .filter(v -> random.nextInt(3) > 0)
                    .map(v -> graph.vertex((int) v))
                    .toArray();
            for (int k : new int[] {1, 2, 7, 300}) {
                TrainingVertices training = new TrainingVertices(ids, 0.1);
                VertexPlacement placement = place(graph, name, k, training);
                assertThat(fullest(placement))
                        .as("seed %d, k %d", seed, k)
                        .isLessThanOrEqualTo(training.max(ids.length, k));
                assertThat(LongStream.range(0, k)
                                .map(p -> placement.training((int) p))
                                .sum())
                        .isEqualTo(ids.length);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ldg", "fennel"})
    void theCapOnVerticesComesFirst(String name) {
        double slack = name.equals("ldg") ? 1 : 1.1;
        for (long seed = 0; seed < 40; seed++) {
            AdjacencyGraph graph = AdjacencyGraph.of(RandomGraphs.graph(seed));
            // Those that come last, when there is little room left.
            long[] ids = LongStream.range(0, graph.vertexCount() / 3)
                    .map(v -> graph.vertex(graph.vertexCount() - 1 - (int) v))
                    .toArray();
            int k = 5;
            VertexPlacement placement = place(graph, name, k, new TrainingVertices(ids, 0));
            for (int p = 0; p < k; p++) {
                assertThat((double) placement.vertices(p))
                        .as("seed %d", seed)
                        .isLessThanOrEqualTo(Math.ceil(slack * graph.vertexCount() / k));
            }
        }
    }

    /** 20 of each class are far from spread by themselves; 60 % of all vertices nearly are. */
    @ParameterizedTest
    @CsvSource({
        "split.60-20-20.txt.gz, cutwater, 8, 1.0, 1.01",
        "split.60-20-20.txt.gz, cutwater, 32, 1.0, 1.01",
        "split.60-20-20.txt.gz, sigma-vertex, 32, 1.12, 1.01",
        "split.shchur.txt.gz, fennel, 32, 2, 1.03",
        "split.shchur.txt.gz, ldg, 32, 2, 1.03",
        "split.shchur.txt.gz, cutwater, 8, 2, 1.06",
        "split.shchur.txt.gz, cutwater, 32, 3, 1.01"
    })
    void onARealGraphTheCapHoldsAtASmallPrice(String split, String name, int k, double atLeastBefore, double price)
            throws IOException {
        AdjacencyGraph graph = AdjacencyGraph.of(
                LongStream.range(0, 13_752).toArray(), SharedGraph.read("data/amazon-computers/edges.txt.gz"));
        long[] ids = SharedGraph.trainingVertices("data/amazon-computers/" + split);
        // With so much room none is moved, but they are counted.
        VertexPlacement without = place(graph, name, k, new TrainingVertices(ids, k));
        VertexPlacement with = place(graph, name, k, new TrainingVertices(ids, 0.1));

        assertThat((double) fullest(without) * k / ids.length).isGreaterThan(atLeastBefore);
        assertThat(fullest(with)).isLessThanOrEqualTo(new TrainingVertices(ids, 0.1).max(ids.length, k));
        assertThat(factor(graph, with) / factor(graph, without)).isLessThanOrEqualTo(price);
    }

    private static double factor(AdjacencyGraph graph, VertexPlacement placement) {
        return Quality.of(graph, placement.partitions(), placement.partitionCount())
                .replicationFactor();
    }
}
