package io.cutwater.state.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.cutwater.CutwaterPartitioner;
import io.cutwater.state.algorithm.sigma.SigmaPartitioner;
import io.cutwater.state.algorithm.twopsl.TwoPsLPartitioner;
import io.cutwater.state.conformance.EdgePartitionerConformance;
import io.cutwater.state.conformance.WholePlacement;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.rule.RunningCap;
import io.cutwater.state.table.VertexTable;
import java.util.BitSet;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties of every built-in partitioner on every graph; the seed of a failure is in the assertion's message. */
class EdgePartitionerLawsTest extends EdgePartitionerConformance {
    @Override
    protected Stream<PartitionerOptions> partitioners() {
        return Stream.of(
                        everyWayOf(Algorithms.names(PartitioningKind.EDGE).toArray(String[]::new)),
                        partitionersThatHold(),
                        partitionersWithClusters())
                .flatMap(options -> options);
    }

    /** Returns the cap of an algorithm in a mode, if it promises one. */
    @Override
    protected double maxEdges(PartitionerOptions options, long placed) {
        double average = (double) placed / options.partitionCount();
        return switch (options.algorithm() + " " + options.passMode()) {
            case "2ps-l BULK" -> Math.ceil((1 + TwoPsLPartitioner.IMBALANCE.of(options)) * average);
            case "sigma-edge BULK" -> Math.ceil((1 + SigmaPartitioner.IMBALANCE.of(options)) * average);
            case "sigma-edge LIVE" -> RunningCap.of(average, SigmaPartitioner.IMBALANCE.of(options)) + 1;
            case "cutwater BULK", "cutwater LIVE" ->
                RunningCap.of(average, CutwaterPartitioner.IMBALANCE.of(options)) + 1;
            default -> super.maxEdges(options, placed);
        };
    }

    private Stream<Named<PartitionerOptions>> known() {
        return Stream.concat(partitioners(), partitionersWithSettings()).map(EdgePartitionerConformance::named);
    }

    private static Stream<PartitionerOptions> partitionersWithSettings() {
        return Stream.of(
                        Map.of("lambda", "0.001", "epsilon", "1000000"),
                        Map.of("lambda", "0.3", "epsilon", "0.001"),
                        Map.of("lambda", "3", "epsilon", "25.5"),
                        Map.of("lambda", "1000000"))
                .flatMap(settings -> Stream.of(1, 5, 32, 64, 65, 200)
                        .map(k -> PartitionerOptions.ofEdges("hdrf", k, 1, PassMode.LIVE, settings)));
    }

    private static Stream<PartitionerOptions> partitionersWithClusters() {
        return Stream.of(
                PartitionerOptions.ofEdges("2ps-l", 7, 1, PassMode.BULK, Map.of("imbalance", "0")),
                PartitionerOptions.ofEdges("2ps-l", 32, 1, PassMode.BULK, Map.of("imbalance", "3")),
                PartitionerOptions.ofEdges(
                        "sigma-edge", 7, 1, PassMode.BULK, Map.of("clustering", "edge-stream", "imbalance", "0")),
                PartitionerOptions.ofEdges(
                        "sigma-edge", 65, 1, PassMode.BULK, Map.of("clustering", "edge-stream", "lambda", "2.5")),
                PartitionerOptions.ofEdges(
                        "sigma-edge", 5, 1, PassMode.BULK, Map.of("clustering", "edge-stream", "lambda", "0")),
                PartitionerOptions.ofEdges("sigma-edge", 9, 1, PassMode.BULK, Map.of("clustering", "none")),
                PartitionerOptions.ofEdges("sigma-edge", 3, 1, PassMode.LIVE, Map.of("lambda", "9")),
                PartitionerOptions.ofEdges("sigma-edge", 2, 1, PassMode.LIVE, Map.of("imbalance", "0")),
                PartitionerOptions.ofEdges("sigma-edge", 9, 1, PassMode.LIVE, Map.of("clustering", "none")));
    }

    private static Stream<PartitionerOptions> partitionersThatHold() {
        return Stream.of(
                        Map.of("window", "1"),
                        Map.of("window", "3", "pull", "0"),
                        Map.of("window", "17", "imbalance", "0", "lambda", "0.001"),
                        Map.of("window", "60", "pull", "2.5", "imbalance", "0.5"))
                .flatMap(settings -> Stream.of(1, 2, 7, 32, 65)
                        .map(k -> PartitionerOptions.ofEdges("cutwater", k, 1, PassMode.LIVE, settings)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("known")
    void placesEveryEdgeAsTheTextbookDoes(PartitionerOptions options) {
        for (long seed = 0; seed < graphs(options); seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            TextbookPartitioning textbook = new TextbookPartitioning(options);
            int[] expected = textbook.place(graph);
            WholePlacement actual = WholePlacement.of(graph, options);
            assertThat(actual.partitions()).as("seed %d", seed).isEqualTo(expected);
            assertThat(actual.loads().edges()).as("seed %d", seed).isEqualTo(textbook.loads());
            textbook.replicas()
                    .forEach((vertex, replicas) -> assertThat(
                                    replicas(actual.vertices(), vertex, options.partitionCount()))
                            .isEqualTo(replicas));
            assertThat(actual.vertices().vertexCount())
                    .as("seed %d", seed)
                    .isEqualTo(textbook.replicas().size());
        }
    }

    private static BitSet replicas(VertexTable vertices, long vertex, int partitionCount) {
        BitSet replicas = new BitSet();
        int slot = vertices.slot(vertex);
        for (int p = 0; p < partitionCount; p++) {
            replicas.set(p, vertices.hasReplica(slot, p));
        }
        return replicas;
    }
}
