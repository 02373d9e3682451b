package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.conformance.WholePlacement;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Edges that were placed before they come to the assigner. */
class RecordedEdgesTest {
    private static final int K = 8;

    private final List<String> placed = new ArrayList<>();
    private final PlacedEdges into = (source, target, weight, timestamp, key, place) ->
            placed.add("%d-%d on %d".formatted(source, target, Place.ofSource(place)));

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"hash", "grid", "dbh", "greedy", "hdrf", "sigma-edge", "cutwater"})
    void theTablesAreThoseOfHavingPlacedTheEdges(String algorithm) {
        EdgeBatch graph = new EdgeBatch();
        SyntheticGraph.rmat(10, 7).fill(graph, 5_000);
        PartitionerOptions options = PartitionerOptions.ofEdges(algorithm, K, 1);
        WholePlacement live = WholePlacement.of(graph, options);
        for (int i = 0; i < graph.size(); i++) {
            graph.setPlace(i, Place.of(live.partitions()[i]));
        }

        for (EdgePartitioner partitioner : List.of(Algorithms.edgePartitioner(options), afterBulk())) {
            VertexTable vertices = new VertexTable(partitioner.layout(K));
            PartitionLoads loads = new PartitionLoads(K);
            placed.clear();
            new Placement(partitioner, vertices, loads).accept(graph, into);

            assertThat(placed).hasSize(graph.size());
            assertThat(loads.edges()).isEqualTo(live.loads().edges());
            assertThat(loads.vertices()).isEqualTo(live.loads().vertices());
            assertThat(loads.totalVertices()).isEqualTo(live.loads().totalVertices());
            for (int i = 0; i < graph.size(); i++) {
                int slot = vertices.slot(graph.source(i));
                int liveSlot = live.vertices().slot(graph.source(i));
                assertThat(vertices.degree(slot)).isEqualTo(live.vertices().degree(liveSlot));
                assertThat(vertices.replicaWord(slot, 0))
                        .isEqualTo(live.vertices().replicaWord(liveSlot, 0));
            }
        }
    }

    @Test
    void anEdgeThatWaitsFollowsARecordedOneOfItsEnd() {
        Placement assigner = assigner(Algorithms.edgePartitioner(PartitionerOptions.ofEdges("cutwater", K, 1)));
        assigner.accept(edges(1, 2), into);
        assertThat(placed).isEmpty();

        assigner.accept(recorded(2, 3, 5), into);
        assertThat(placed).containsExactly("2-3 on 5", "1-2 on 5");
        assertThat(assigner.heldCount()).isZero();
    }

    @Test
    void anEdgeOfARecordedVertexIsPlacedBesideIt() {
        Placement assigner = assigner(Algorithms.edgePartitioner(PartitionerOptions.ofEdges("cutwater", K, 1)));
        assigner.accept(recorded(2, 3, 5), into);
        assigner.accept(edges(3, 4), into);
        assertThat(placed).containsExactly("2-3 on 5", "3-4 on 5");
    }

    @Test
    void refusesAPlaceThatIsNoPartitionAndAnEdgeWithoutAPlace() {
        Placement assigner = assigner(afterBulk());
        assertThatThrownBy(() -> assigner.accept(recorded(2, 3, K), into))
                .hasMessage("edge (2, 3) was placed on partition 8, and there are 8");
        EdgeBatch half = recorded(2, 3, 0);
        half.add(4, 5);
        assertThatThrownBy(() -> assigner.accept(half, into)).hasMessageContaining("edge (4, 5)");
        assertThatThrownBy(() -> assigner.accept(edges(6, 7), into))
                .hasMessage("edge (6, 7) has no place, but a bulk run should have placed it");
    }

    /** The rule of a stream whose edges a bulk run has placed. */
    private static EdgePartitioner afterBulk() {
        return Algorithms.edgePartitioner(PartitionerOptions.ofEdges("cutwater", K, 1, PassMode.BULK, Map.of()));
    }

    private static Placement assigner(EdgePartitioner partitioner) {
        return new Placement(partitioner, new VertexTable(partitioner.layout(K)), new PartitionLoads(K));
    }

    private static EdgeBatch edges(long source, long target) {
        EdgeBatch batch = new EdgeBatch();
        batch.add(source, target);
        return batch;
    }

    private static EdgeBatch recorded(long source, long target, int place) {
        EdgeBatch batch = edges(source, target);
        batch.setPlace(0, Place.of(place));
        return batch;
    }
}
