package io.cutwater.state.algorithm.sigma;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.TextbookClustered;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.passes.EdgePolishTest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SigmaBulkPartitionerTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8, 70, 300})
    void placesAsTheTextbookThatScoresEveryPartition(int k) {
        for (String lambda : new String[] {"1", "0.3", "40"}) {
            PartitionerOptions options = options(k, Map.of("clustering", "modularity", "lambda", lambda));
            for (long seed = 1; seed < 24; seed++) {
                EdgeBatch edges = RandomGraphs.graph(seed);
                if (!edges.isEmpty()) {
                    int[] expected = new TextbookClustered(edges, options, new HashMap<>(), new long[k]).place();
                    assertThat(place(AdjacencyGraph.sorted(edges), options))
                            .as("seed %d, lambda %s", seed, lambda)
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void anEmptyGraphHasNoPlaces() {
        assertThat(place(AdjacencyGraph.sorted(new EdgeBatch()), options(3, Map.of("clustering", "modularity"))))
                .isEmpty();
    }

    /** The factors of the paper's rule with clusters of high modularity, as published, edges in sorted order. */
    @ParameterizedTest
    @CsvSource({"amazon-computers, 32, 2.97", "musae-facebook, 32, 1.92", "coauthor-cs, 8, 1.78"})
    void isAsGoodAsPublishedOn(String dataset, int k, double expected) {
        AdjacencyGraph graph = AdjacencyGraph.sorted(SharedGraph.read("data/" + dataset + "/edges.txt.gz"));
        int[] partitions = place(graph, options(k, Map.of("clustering", "modularity")));
        assertThat((double) EdgePolishTest.replicas(graph, partitions) / graph.vertexCount())
                .isLessThanOrEqualTo(expected * 1.03);
        assertThat((double) EdgePolishTest.fullest(partitions, k))
                .isLessThanOrEqualTo(Math.ceil(1.1 * graph.edgeCount() / k));
    }

    private static PartitionerOptions options(int k, Map<String, String> settings) {
        return PartitionerOptions.ofEdges("sigma-edge", k, 1, PassMode.BULK, settings);
    }

    private static int[] place(AdjacencyGraph graph, PartitionerOptions options) {
        int[] partitions = new int[(int) graph.edgeCount()];
        Arrays.fill(partitions, EdgePlaces.NONE);
        SigmaBulkPartitioner.place(
                graph, options.partitionCount(), SigmaOptions.of(options), EdgePlaces.of(partitions));
        return partitions;
    }
}
