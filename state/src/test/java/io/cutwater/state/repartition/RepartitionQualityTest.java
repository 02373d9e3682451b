package io.cutwater.state.repartition;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.Quality;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests moves and quality of re-partitionings of real graphs; skipped without these graphs. */
class RepartitionQualityTest {
    private static final String AUTHORS = "data/coauthor-cs/edges.txt.gz";
    private static final String COMPUTERS = "data/amazon-computers/edges.txt.gz";

    @TempDir
    Path folder;

    private PlacedGraph bulk(PartitioningKind kind, EdgeBatch graph, int partitions) throws Exception {
        PlacedGraph placed = new PlacedGraph(kind, "cutwater", partitions, folder);
        placed.bulk(graph, 0, graph.size());
        return placed;
    }

    private PlacedGraph live(PartitioningKind kind, EdgeBatch graph, int partitions) {
        PlacedGraph placed = new PlacedGraph(kind, "cutwater", partitions, folder);
        placed.live(graph, 0, graph.size());
        placed.placeHeld();
        return placed;
    }

    /** The moved share of all edges, or of all ends of edges. */
    private static double moved(RepartitionPlan plan) {
        double all = plan.expected().edgeCutRatio().isPresent() ? 2.0 * plan.edges() : plan.edges();
        return plan.edgesToMove() / all;
    }

    @ParameterizedTest
    @CsvSource({"EDGE, data/amazon-computers/edges.txt.gz", "VERTEX, data/amazon-computers/edges.txt.gz"})
    void from8To12PartitionsLittleMoreMovesThanMustAndNearlyNothingIsLost(PartitioningKind kind, String file)
            throws Exception {
        EdgeBatch graph = SharedGraph.read(file);
        Quality fresh = bulk(kind, graph, 12).quality();
        RepartitionPlan plan = bulk(kind, graph, 8).repartition(12, 1, unmade -> false);
        assertThat(moved(plan)).isBetween(0.25, 1.3 / 3);
        assertThat(plan.expected().replicationFactor()).isLessThan(1.05 * fresh.replicationFactor());
        assertThat(plan.expected().loadBalance()).isLessThan(kind == PartitioningKind.EDGE ? 1.051 : 1.101);
    }

    @ParameterizedTest
    @CsvSource({"EDGE, 12, 8", "VERTEX, 12, 8", "EDGE, 4, 1"})
    void withFewerPartitionsThoseThatGoAreEmpty(PartitioningKind kind, int before, int after) throws Exception {
        EdgeBatch graph = SharedGraph.read(AUTHORS);
        Quality fresh = bulk(kind, graph, after).quality();
        RepartitionPlan plan = bulk(kind, graph, before).repartition(after, 1, unmade -> false);
        assertThat(plan.expected().partitions()).isEqualTo(after);
        assertThat(plan.expected().replicationFactor()).isLessThan(1.10 * fresh.replicationFactor());
    }

    @ParameterizedTest
    @CsvSource({"EDGE", "VERTEX"})
    void whatIsPlacedInBulkHardlyMoves(PartitioningKind kind) throws Exception {
        RepartitionPlan plan = bulk(kind, SharedGraph.read(AUTHORS), 8).repartition(8, 1, unmade -> false);
        assertThat(moved(plan)).isLessThan(0.05);
        assertThat(plan.expected().replicationFactor())
                .isLessThanOrEqualTo(plan.before().replicationFactor());
    }

    @Test
    void aLittleBudgetGoesALongWayAndAllOfItToWhatAFreshRunReaches() throws Exception {
        EdgeBatch graph = SharedGraph.read(COMPUTERS);
        double fresh = bulk(PartitioningKind.EDGE, graph, 8).quality().replicationFactor();
        PlacedGraph live = live(PartitioningKind.EDGE, graph, 8);
        double before = live.quality().replicationFactor();
        assertThat(before).isGreaterThan(1.5 * fresh);
        double with5 = live.repartition(8, 0.05, unmade -> false).expected().replicationFactor();
        double with20 = live.repartition(8, 0.2, unmade -> false).expected().replicationFactor();
        double all = live.repartition(8, 1, unmade -> false).expected().replicationFactor();
        assertThat((before - with5) / (before - fresh)).isGreaterThan(0.4);
        assertThat((before - with20) / (before - fresh)).isGreaterThan(0.6);
        assertThat(all).isLessThan(1.05 * fresh);
    }

    @Test
    void theUsualRuleKeepsAStreamNearAFreshRun() throws Exception {
        EdgeBatch all = SharedGraph.read("data/cit-hepph/edges.time.txt.gz");
        EdgeBatch graph = new EdgeBatch();
        for (int i = 0; i < 16_000; i++) {
            graph.addFrom(all, i);
        }
        Quality fresh = bulk(PartitioningKind.EDGE, graph, 8).quality();
        Quality alone = live(PartitioningKind.EDGE, graph, 8).quality();
        PlacedGraph placed = new PlacedGraph(PartitioningKind.EDGE, "cutwater", 8, folder);
        DriftRounds rounds = new DriftRounds(placed, DriftRule.USUAL, 0.05);
        rounds.run(graph, 6_000);
        assertThat(rounds.made()).isPositive();
        assertThat(alone.replicationFactor()).isGreaterThan(1.2 * fresh.replicationFactor());
        assertThat(placed.quality().replicationFactor()).isLessThan(1.10 * fresh.replicationFactor());
    }
}
