package io.cutwater.state.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.grid.GridPartitioner;
import io.cutwater.state.conformance.WholePlacement;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Facts on the smallest graphs that show them. */
class EdgePartitionerFactsTest {
    private static final EdgeBatch STAR = new EdgeBatch();
    private static final EdgeBatch PATH = new EdgeBatch();

    static {
        for (int leaf = 1; leaf <= 400; leaf++) {
            STAR.add(0, leaf);
            PATH.add(leaf - 1, leaf);
        }
    }

    @Test
    void hdrfReplicatesTheHubOfAStarAndNoLeaf() {
        Quality report = report("hdrf", 4, PassMode.LIVE, STAR);
        assertThat(report.replicationFactor()).isEqualTo(404.0 / 401); // 400 leaves once, the hub in all 4
        assertThat(report.edgeBalance().orElseThrow()).isEqualTo(1.0);
    }

    @Test
    void dbhReplicatesTheHubOfAStarAndNoLeaf() {
        assertThat(report("dbh", 4, PassMode.BULK, STAR).replicationFactor()).isEqualTo(404.0 / 401);
    }

    @Test
    void dbhWithFinalDegreesDoesNotDependOnTheOrderOfTheEdges() {
        EdgeBatch graph = new EdgeBatch();
        SyntheticGraph.rmat(8, 3).fill(graph, 1000);
        EdgeBatch reversed = new EdgeBatch();
        for (int i = graph.size() - 1; i >= 0; i--) {
            reversed.addFrom(graph, i);
        }
        assertThat(report("dbh", 8, PassMode.BULK, reversed)).isEqualTo(report("dbh", 8, PassMode.BULK, graph));
    }

    @Test
    void dbhDoesNotMindWhichEndIsTheSourceIfBothHaveTheSameDegree() {
        EdgeBatch graph = new EdgeBatch();
        for (int other = -50; other <= 50; other++) {
            graph.add(other, 1000 + other);
        }
        for (PassMode mode : PassMode.values()) {
            PartitionerOptions options = PartitionerOptions.ofEdges("dbh", 64, 5, mode, Map.of());
            int[] partitions = WholePlacement.of(graph, options).partitions();
            EdgeBatch turned = new EdgeBatch();
            for (int i = 0; i < graph.size(); i++) {
                turned.add(graph.target(i), graph.source(i));
            }
            assertThat(WholePlacement.of(turned, options).partitions()).isEqualTo(partitions);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"greedy", "hdrf"})
    void aPathInOrderStaysWhole(String algorithm) {
        // Each edge touches the one before: neither rule has a reason to cut that outweighs a replica.
        assertThat(report(algorithm, 4, PassMode.LIVE, PATH).replicationFactor())
                .isEqualTo(1.0);
    }

    @Test
    void hdrfWithALargeLambdaBalancesAPath() {
        PartitionerOptions options = PartitionerOptions.ofEdges("hdrf", 4, 1, PassMode.LIVE, Map.of("lambda", "1000"));
        Quality report = Quality.of(WholePlacement.of(PATH, options).loads(), 0);
        assertThat(report.edgeBalance().orElseThrow()).isEqualTo(1.0);
        assertThat(report.replicationFactor()).isGreaterThan(1.5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"greedy", "hdrf"})
    void fourCliquesOnFourPartitionsStayWhole(String algorithm) {
        EdgeBatch cliques = new EdgeBatch();
        for (int source = 0; source < 12; source++) {
            for (int target = source + 1; target < 12; target++) {
                for (int clique = 0; clique < 4; clique++) {
                    cliques.add(clique * 100 + source, clique * 100 + target);
                }
            }
        }
        Quality report = report(algorithm, 4, PassMode.LIVE, cliques);
        assertThat(report.replicationFactor()).isEqualTo(1.0);
        assertThat(report.edgeBalance().orElseThrow()).isEqualTo(1.0);
    }

    @ParameterizedTest
    @CsvSource({"BULK, 1", "LIVE, 0"})
    void greedyFollowsTheEndWithMoreEdgesAhead(PassMode mode, int expected) {
        // Vertex 1 has two edges behind it on partition 0, vertex 3 has one behind it on partition 1 and two to come.
        EdgeBatch graph = new EdgeBatch();
        graph.add(1, 2);
        graph.add(3, 4);
        graph.add(1, 5);
        graph.add(1, 3);
        graph.add(3, 6);
        graph.add(3, 7);
        PartitionerOptions options = PartitionerOptions.ofEdges("greedy", 2, 1, mode, Map.of());
        assertThat(WholePlacement.of(graph, options).partitions()).startsWith(0, 1, 0, expected);
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "3,1", "4,2", "6,2", "12,3", "13,1", "16,4", "32,4", "200,10", "4095,63", "4096,64"})
    void theGridHasAsManyRowsAsTheLargestDivisorUpToTheRoot(int partitionCount, int rows) {
        assertThat(GridPartitioner.rowsOf(partitionCount)).isEqualTo(rows);
    }

    @ParameterizedTest
    @CsvSource({"16, 7", "12, 6", "64, 15", "13, 13"})
    void gridKeepsEveryVertexWithinOneRowAndOneColumn(int partitionCount, int bound) {
        VertexTable vertices = WholePlacement.of(STAR, PartitionerOptions.ofEdges("grid", partitionCount, 1))
                .vertices();
        assertThat(vertices.replicaCount(vertices.slot(0))).isEqualTo(bound);
    }

    @ParameterizedTest
    @CsvSource({
        "cutwater, 2, window, 1", "cutwater, 7, window, 100", "cutwater, 32, window, 10000",
        "sigma-edge, 2, imbalance, 0.05", "sigma-edge, 7, imbalance, 0.05", "sigma-edge, 32, imbalance, 0.05"
    })
    void theCapHoldsAtEveryEdgeOfAStreamWhateverTheOrder(String algorithm, int k, String setting, String value) {
        PartitionerOptions options = PartitionerOptions.ofEdges(algorithm, k, 1, PassMode.LIVE, Map.of(setting, value));
        EdgePartitioner partitioner = Algorithms.edgePartitioner(options);
        PartitionLoads loads = new PartitionLoads(k);
        Placement assigner = new Placement(partitioner, new VertexTable(partitioner.layout(k)), loads);
        PlacedEdges check = (source, target, weight, timestamp, key, partition) -> {
            double average = (double) (loads.totalEdges() - 1) / k;
            assertThat(loads.maxEdges()).isLessThan(1 + (long) Math.ceil(Math.max(150, 1.05 * average + 24)));
        };
        for (EdgeBatch batch : batchesOfOne(worstOrder(k))) {
            assigner.accept(batch, check);
        }
        if (algorithm.equals("cutwater")) {
            assertThat(assigner.heldCount()).isLessThanOrEqualTo(Integer.parseInt(value));
        }
        assigner.placeHeld(check);
        assertThat(loads.totalEdges()).isEqualTo(worstOrder(k).size());
    }

    @ParameterizedTest
    @CsvSource({"2ps-l, 2", "2ps-l, 7", "2ps-l, 32", "sigma-edge, 2", "sigma-edge, 7", "sigma-edge, 32"})
    void inBulkTheCapIsNeverExceeded(String algorithm, int k) {
        for (String imbalance : new String[] {"0", "0.01", "0.05", "0.3"}) {
            Map<String, String> settings = new HashMap<>(streamSettings(algorithm));
            settings.put("imbalance", imbalance);
            PartitionerOptions options = PartitionerOptions.ofEdges(algorithm, k, 1, PassMode.BULK, settings);
            EdgeBatch graph = worstOrder(k);
            double share = (1 + Double.parseDouble(imbalance)) * graph.size() / k;
            assertThat(WholePlacement.of(graph, options).loads().maxEdges())
                    .isLessThanOrEqualTo((long) Math.ceil(share));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2ps-l", "sigma-edge"})
    void cliquesThatAreClustersStayWholeInAnyOrder(String algorithm) {
        EdgeBatch cliques = new EdgeBatch();
        for (int source = 0; source < 12; source++) {
            for (int target = source + 1; target < 12; target++) {
                for (int clique = 0; clique < 4; clique++) {
                    cliques.add(clique * 100 + source, clique * 100 + target);
                }
            }
        }
        Quality report = report(algorithm, 4, PassMode.BULK, cliques);
        assertThat(report.replicationFactor()).isEqualTo(1.0);
        assertThat(report.edgeBalance().orElseThrow()).isEqualTo(1.0);
    }

    /** A star, a graph with hubs, and a path: each would fill one partition if it were let. */
    private static EdgeBatch worstOrder(int seed) {
        EdgeBatch graph = new EdgeBatch();
        graph.addAll(STAR);
        SyntheticGraph.rmat(12, seed).fill(graph, 20_000);
        for (int i = 0; i < 5_000; i++) {
            graph.add(1_000_000 + i, 1_000_001 + i);
        }
        return graph;
    }

    private static List<EdgeBatch> batchesOfOne(EdgeBatch graph) {
        List<EdgeBatch> batches = new ArrayList<>();
        for (int i = 0; i < graph.size(); i++) {
            batches.add(WholePlacement.slice(graph, i, i + 1, 0));
        }
        return batches;
    }

    @Test
    void everyPartitionerPutsAllEdgesOnTheOnlyPartition() {
        for (String algorithm : Algorithms.names(PartitioningKind.EDGE)) {
            Quality report = report(algorithm, 1, mode(algorithm), STAR);
            assertThat(report.replicationFactor()).as(algorithm).isEqualTo(1.0);
            assertThat(report.perPartition().get(0).edges()).as(algorithm).isEqualTo(400);
        }
    }

    @Test
    void hashingDependsOnTheSeedAndNothingElse() {
        int[] one = WholePlacement.of(STAR, PartitionerOptions.ofEdges("hash", 64, 1))
                .partitions();
        assertThat(WholePlacement.of(STAR, PartitionerOptions.ofEdges("hash", 64, 1))
                        .partitions())
                .isEqualTo(one);
        assertThat(WholePlacement.of(STAR, PartitionerOptions.ofEdges("hash", 64, 2))
                        .partitions())
                .isNotEqualTo(one);
    }

    @Test
    void duplicatesOfAnEdgeStayTogetherUnderHashing() {
        EdgeBatch graph = new EdgeBatch();
        for (int i = 0; i < 100; i++) {
            graph.add(Long.MIN_VALUE, Long.MAX_VALUE);
        }
        int[] partitions = WholePlacement.of(graph, PartitionerOptions.ofEdges("hash", 64, 1))
                .partitions();
        assertThat(Arrays.stream(partitions).distinct().count()).isOne();
    }

    @Test
    void aSelfLoopCountsTwiceAndMakesOneReplica() {
        EdgeBatch loop = new EdgeBatch();
        loop.add(-7, -7);
        for (String algorithm : Algorithms.names(PartitioningKind.EDGE)) {
            VertexTable vertices = WholePlacement.of(
                            loop, PartitionerOptions.ofEdges(algorithm, 8, 1, mode(algorithm), Map.of()))
                    .vertices();
            int slot = vertices.slot(-7);
            assertThat(vertices.degree(slot)).as(algorithm).isEqualTo(2);
            assertThat(vertices.replicaCount(slot)).as(algorithm).isOne();
            assertThat(vertices.hasReplica(slot, vertices.master(slot)))
                    .as(algorithm)
                    .isTrue();
        }
    }

    /** The mode with the most passes in which it places a stream. */
    private static PassMode mode(String algorithm) {
        PartitionerOptions bulk = PartitionerOptions.ofEdges(algorithm, 1, 1, PassMode.BULK, Map.of());
        return Algorithms.get(PartitioningKind.EDGE, algorithm).isPlacedAsGraph(bulk) ? PassMode.LIVE : PassMode.BULK;
    }

    /** In bulk sigma-edge places a stream of edges with these only. */
    private static Map<String, String> streamSettings(String algorithm) {
        return algorithm.equals("sigma-edge") ? Map.of("clustering", "edge-stream") : Map.of();
    }

    private static Quality report(String algorithm, int partitionCount, PassMode mode, EdgeBatch graph) {
        PartitionerOptions options =
                PartitionerOptions.ofEdges(algorithm, partitionCount, 1, mode, streamSettings(algorithm));
        return Quality.of(WholePlacement.of(graph, options).loads(), 0);
    }
}
