package io.cutwater.state.algorithm.cutwater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.graph.ReferenceTable;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.passes.EdgePolishTest;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CutwaterBulkPartitionerTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 64, 700})
    void everyEdgeHasAPlaceAndNoPartitionIsAboveTheCap(int k) {
        CutwaterBulkOptions options = new CutwaterBulkOptions(k, 3);
        for (long seed = 0; seed < 20; seed++) {
            AdjacencyGraph graph = AdjacencyGraph.of(new long[] {1L << 40}, RandomGraphs.graph(seed));
            int[] partitions = CutwaterBulkPartitioner.place(graph, options);
            assertThat(partitions).as("seed %d", seed).hasSize((int) graph.edgeCount());
            assertThat(Arrays.stream(partitions)).as("seed %d", seed).allMatch(p -> p >= 0 && p < k);
            assertThat((double) EdgePolishTest.fullest(partitions, k))
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(
                            Math.max(Math.ceil((double) graph.edgeCount() / k), 1.10 * graph.edgeCount() / k));
            assertThat(partitions).as("seed %d", seed).isEqualTo(CutwaterBulkPartitioner.place(graph, options));
        }
    }

    @Test
    void cliquesStayWhole() {
        EdgeBatch edges = new EdgeBatch();
        for (int source = 0; source < 20; source++) {
            for (int target = source + 1; target < 20; target++) {
                for (int clique = 0; clique < 8; clique++) {
                    edges.add(clique * 100 + source, clique * 100 + target);
                }
            }
        }
        AdjacencyGraph graph = AdjacencyGraph.of(edges);
        int[] partitions = CutwaterBulkPartitioner.place(graph, new CutwaterBulkOptions(4, 1));
        assertThat(EdgePolishTest.replicas(graph, partitions)).isEqualTo(graph.vertexCount());
        assertThat(EdgePolishTest.fullest(partitions, 4)).isEqualTo(edges.size() / 4);
    }

    /** Mean over the graphs of what the replication factor is of the references'; edge balance 1.10 on each. */
    @Test
    void isWellBelowSigmaAndAsGoodAsWhatHoldsTheGraphInMemory() throws IOException {
        double overSigma = 0;
        double overExpansion = 0;
        int runs = 0;
        List<String[]> rows = ReferenceTable.lines().stream()
                .map(line -> line.split(",", -1))
                .filter(row -> row[1].equals("sorted") && row[3].equals("edge"))
                .toList();
        for (String dataset : List.of("amazon-computers", "coauthor-cs", "musae-facebook")) {
            AdjacencyGraph graph = AdjacencyGraph.of(SharedGraph.read("data/" + dataset + "/edges.txt.gz"));
            for (int k : new int[] {8, 32}) {
                int[] partitions = CutwaterBulkPartitioner.place(graph, new CutwaterBulkOptions(k, 16));
                double factor = (double) EdgePolishTest.replicas(graph, partitions) / graph.vertexCount();
                assertThat((double) EdgePolishTest.fullest(partitions, k) * k / partitions.length)
                        .isLessThanOrEqualTo(1.10);
                overSigma += factor / best(rows, dataset, k, "SIGMA-edge");
                overExpansion += factor / best(rows, dataset, k, "HEP-100", "NE");
                runs++;
            }
        }
        assertThat(overSigma / runs).as("over SIGMA").isLessThan(0.77);
        assertThat(overExpansion / runs).as("over the better of HEP-100 and NE").isLessThan(0.99);
    }

    private static double best(List<String[]> rows, String dataset, int k, String... names) {
        return rows.stream()
                .filter(row -> row[0].equals(dataset) && Integer.parseInt(row[2]) == k)
                .filter(row -> List.of(names).contains(row[4]))
                .mapToDouble(row -> Double.parseDouble(row[6]))
                .min()
                .orElseThrow();
    }

    @Test
    void refusesOptionsOutOfTheirRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CutwaterBulkOptions(0, 1))
                .withMessage("partitions must be in [1, 4096]: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CutwaterBulkOptions(2, 0.9, 1))
                .withMessage("edgeSlack and vertexSlack must be 1 or more: 0.9 and 1.3");
        assertThatIllegalArgumentException().isThrownBy(() -> new CutwaterBulkOptions(2, 1, Double.NaN, 0.1, 1, null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CutwaterBulkOptions(2, 1, 1, 1.1, 1, null))
                .withMessage("grain must be above 0 and 1 at most: 1.1");
    }
}
