package io.cutwater.state.vertex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cutwater.state.cluster.ModularityClustering;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.plan.LargestFirst;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every vertex partitioner on every graph; k from 1 to more than there are vertices. */
class VertexPartitionerLawsTest {
    private static final int GRAPHS = 20;
    private static final int[] PARTITION_COUNTS = {1, 3, 7, 64, 300};

    static Stream<PartitionerOptions> partitioners() {
        return VertexPartitioners.names().stream()
                .flatMap(name -> IntStream.of(PARTITION_COUNTS).mapToObj(k -> options(name, k)));
    }

    private static PartitionerOptions options(String name, int partitionCount) {
        return new PartitionerOptions(name, partitionCount, 5, PassMode.BULK, Map.of());
    }

    /** A random graph; every third with vertices that have no edge, before and among the others. */
    private static AdjacencyGraph graph(long seed) {
        EdgeBatch edges = RandomGraphs.graph(seed);
        long[] alone =
                seed % 3 == 0 ? LongStream.range(1L << 40, (1L << 40) + 9).toArray() : new long[0];
        return AdjacencyGraph.of(alone, edges);
    }

    private static VertexPlacement place(AdjacencyGraph graph, PartitionerOptions options) {
        GraphSize size = new GraphSize(graph.vertexCount(), graph.edgeCount());
        return VertexAssigner.place(graph, VertexPartitioners.create(options, size), options.partitionCount());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("partitioners")
    void everyVertexHasOnePlaceAndTheLoadsAreWhatARecountFinds(PartitionerOptions options) {
        for (long seed = 0; seed < GRAPHS; seed++) {
            AdjacencyGraph graph = graph(seed);
            VertexPlacement placement = place(graph, options);
            long[] vertices = new long[options.partitionCount()];
            long[] volumes = new long[options.partitionCount()];
            for (int v = 0; v < graph.vertexCount(); v++) {
                assertThat(placement.partition(v)).as("seed %d", seed).isBetween(0, options.partitionCount() - 1);
                vertices[placement.partition(v)]++;
                volumes[placement.partition(v)] += graph.degree(v);
            }
            for (int p = 0; p < vertices.length; p++) {
                assertThat(placement.vertices(p)).as("seed %d", seed).isEqualTo(vertices[p]);
                assertThat(placement.volume(p)).as("seed %d", seed).isEqualTo(volumes[p]);
            }
            assertThat(placement.totalVertices()).isEqualTo(graph.vertexCount());
            assertThat(placement.totalVolume()).isEqualTo(2L * graph.edgeCount());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("partitioners")
    void theSameSeedGivesTheSamePlaces(PartitionerOptions options) {
        for (long seed = 0; seed < 5; seed++) {
            AdjacencyGraph graph = graph(seed);
            assertThat(place(graph, options).partitions())
                    .as("seed %d", seed)
                    .isEqualTo(place(graph, options).partitions());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("partitioners")
    void noPartitionHasMoreVerticesThanTheCap(PartitionerOptions options) {
        int k = options.partitionCount();
        double slack = switch (options.algorithm()) {
            case "ldg" -> 1;
            case "fennel", "grem" -> 1.1;
            default -> Double.NaN;
        };
        assumeThat(slack).as("the algorithm promises a cap for every graph").isNotNaN();
        for (long seed = 0; seed < GRAPHS; seed++) {
            AdjacencyGraph graph = graph(seed);
            VertexPlacement placement = place(graph, options);
            double cap = Math.ceil(slack * graph.vertexCount() / k);
            for (int p = 0; p < k; p++) {
                assertThat((double) placement.vertices(p)).as("seed %d", seed).isLessThanOrEqualTo(cap);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hash", "ldg", "fennel", "grem", "spring"})
    void placesAsTheTextbookDoes(String name) {
        for (long seed = 0; seed < GRAPHS; seed++) {
            AdjacencyGraph graph = graph(seed);
            for (int k : new int[] {1, 2, 7, 64}) {
                PartitionerOptions options = options(name, k);
                assertThat(place(graph, options).partitions())
                        .as("seed %d, k %d", seed, k)
                        .isEqualTo(new TextbookVertexPartitioning(graph, options).place());
            }
        }
    }

    @Test
    void sigmaPlacesAsTheTextbookDoesWithTheSameClusters() {
        for (long seed = 0; seed < GRAPHS; seed++) {
            AdjacencyGraph graph = graph(seed);
            int n = graph.vertexCount();
            for (int k : new int[] {1, 2, 7, 64}) {
                ModularityClustering clustering =
                        new ModularityClustering(n, graph.edgeCount(), 2L * graph.edgeCount() / k, Math.max(1, n / k));
                do {
                    for (int v = 0; v < n; v++) {
                        clustering.add(v, graph.neighbours(), graph.offset(v), graph.offset(v + 1));
                    }
                } while (clustering.endPass());
                int[] clusters = clustering.clusters();
                long[] sizes = new long[n];
                Arrays.stream(clusters).forEach(c -> sizes[c]++);
                int[] plan = LargestFirst.plan(sizes, k);
                int[] clusterPartitions =
                        Arrays.stream(clusters).map(c -> plan[c]).toArray();
                PartitionerOptions options = options("sigma-vertex", k);
                assertThat(place(graph, options).partitions())
                        .as("seed %d, k %d", seed, k)
                        .isEqualTo(new TextbookSigma(new TextbookVertexPartitioning(graph, options))
                                .place(clusterPartitions));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ldg", "fennel"})
    void aStreamWithoutEndIsBalancedAtEveryPrefix(String name) {
        double slack = name.equals("ldg") ? 1 : 1.1;
        for (long seed = 0; seed < GRAPHS; seed++) {
            AdjacencyGraph graph = graph(seed);
            for (int k : new int[] {1, 3, 7}) {
                VertexPlacement placement = new VertexPlacement(k, graph.vertexCount(), graph::vertex);
                VertexPartitioner partitioner = VertexPartitioners.create(options(name, k), GraphSize.UNKNOWN);
                for (int v = 0; v < graph.vertexCount(); v++) {
                    int from = graph.offset(v);
                    int to = graph.offset(v + 1);
                    placement.put(v, to - from, partitioner.place(v, graph.neighbours(), from, to, placement));
                    for (int p = 0; p < k; p++) {
                        assertThat((double) placement.vertices(p))
                                .as("seed %d, k %d", seed, k)
                                .isLessThanOrEqualTo(Math.ceil(slack * (v + 1) / k));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"grem", "spring", "sigma-vertex", "cutwater"})
    void anAlgorithmOfSeveralPassesAsksForABoundedInput(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VertexPartitioners.create(options(name, 2), GraphSize.UNKNOWN))
                .withMessage(name + " reads the input several times: give it a bounded input,"
                        + " or choose one of fennel, hash, ldg for a live stream");
    }

    @Test
    void refusesUnknownNamesAndSettings() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VertexPartitioners.create(options("metis", 2), GraphSize.UNKNOWN))
                .withMessage("there is no vertex partitioner named 'metis'; there are"
                        + " cutwater, fennel, grem, hash, ldg, sigma-vertex, spring");
        PartitionerOptions unknown = new PartitionerOptions("ldg", 2, 1, PassMode.BULK, Map.of("gamma", "2"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VertexPartitioners.create(unknown, GraphSize.UNKNOWN))
                .withMessage("ldg has no setting named 'gamma'; it has no settings");
    }
}
