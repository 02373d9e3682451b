package io.cutwater.state.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cutwater.state.cluster.LargestFirst;
import io.cutwater.state.cluster.ModularityClustering;
import io.cutwater.state.conformance.VertexPartitionerConformance;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of every built-in vertex partitioner on every graph; k from 1 to more than there are vertices. */
class VertexPartitionerLawsTest extends VertexPartitionerConformance {
    private static final int GRAPHS = 20;

    @Override
    protected Stream<PartitionerOptions> partitioners() {
        return everyWayOf(Algorithms.names(PartitioningKind.VERTEX).toArray(String[]::new));
    }

    @Override
    protected double maxVertices(PartitionerOptions options, long placed) {
        double average = (double) placed / options.partitionCount();
        return switch (options.algorithm()) {
            case "ldg" -> Math.ceil(average);
            case "fennel", "grem" -> Math.ceil(1.1 * placed / options.partitionCount());
            default -> super.maxVertices(options, placed);
        };
    }

    private static PartitionerOptions options(String name, int partitionCount) {
        return PartitionerOptions.ofVertices(name, partitionCount, 5, PassMode.BULK, Map.of());
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

    @Test
    void refusesUnknownNamesAndSettings() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Algorithms.vertexPartitioner(options("metis", 2), new GraphSize(0, 0)))
                .withMessage("there is no vertex partitioner named 'metis'; there are"
                        + " cutwater, fennel, grem, hash, ldg, sigma-vertex, spring");
        PartitionerOptions unknown = PartitionerOptions.ofVertices("ldg", 2, 1, PassMode.BULK, Map.of("gamma", "2"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Algorithms.vertexPartitioner(unknown, new GraphSize(0, 0)))
                .withMessage("ldg has no setting named 'gamma'; it has no settings");
    }
}
