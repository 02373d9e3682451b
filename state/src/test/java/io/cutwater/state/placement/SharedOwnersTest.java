package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.ReplicaCounts;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SharedOwnersTest {
    private static final int K = 4;
    private static final VertexLayout LAYOUT = new VertexLayout(K, false);

    private final VertexTable vertices = new VertexTable(LAYOUT);
    private final List<String> placed = new ArrayList<>();
    private final PlacedEdges into = (source, target, weight, timestamp, key, place) ->
            placed.add("%d %d on %d %d".formatted(source, target, Place.ofSource(place), Place.ofTarget(place)));

    private Placement placement(String algorithm, Map<String, String> settings) {
        PartitionerOptions options = PartitionerOptions.ofVertices(algorithm, K, 1, PassMode.LIVE, settings);
        Placement placement = Algorithms.of(options).placement(options, vertices, new PartitionLoads(K), null);
        placement.shareVertices(0, 2);
        return placement;
    }

    private static EdgeBatch edges(long... ends) {
        EdgeBatch batch = new EdgeBatch();
        for (int i = 0; i < ends.length; i += 2) {
            batch.add(ends[i], ends[i + 1]);
        }
        return batch;
    }

    /** The table of a vertex tells its owner. */
    private void decide(Placement placement, long vertex, int owner) {
        VertexTable table = new VertexTable(LAYOUT);
        int slot = table.slot(vertex);
        RecordExchange.own(table, slot, owner, new ReplicaCounts(K));
        long[] record = new long[LAYOUT.stride()];
        RecordExchange.copy(table, slot, record, 0);
        RecordExchange.merge(vertices, vertices.slot(vertex), record, 0, true);
        placement.mastered(vertex, into);
    }

    @Test
    void anEdgeIsPlacedWhenTheTablesHaveDecidedOnBothOwners() {
        Placement placement = placement("hash", Map.of());
        placement.accept(edges(1, 2, 2, 2, 2, 3), into);
        assertThat(placed).isEmpty();
        assertThat(placement.heldCount()).isEqualTo(3);
        assertThat(placement.heldEdges().size()).isEqualTo(3);
        decide(placement, 2, 3);
        assertThat(placed).containsExactly("2 2 on 3 3");
        decide(placement, 1, 0);
        decide(placement, 3, 3);
        assertThat(placed).containsExactly("2 2 on 3 3", "1 2 on 0 3", "2 3 on 3 3");
        assertThat(placement.heldCount()).isZero();
        placement.accept(edges(3, 1), into);
        assertThat(placed).last().isEqualTo("3 1 on 3 0");
    }

    @Test
    void anOwnerThatAnotherAssignerHasProposedReleasesEdgesOfTheWindow() {
        Placement placement = placement("ldg", Map.of("window", "10"));
        placement.accept(edges(1, 2), into);
        decide(placement, 1, 2);
        decide(placement, 2, 1);
        assertThat(placed).containsExactly("1 2 on 2 1");
        assertThat(placement.ownerLoads().totalOwned())
                .as("owners proposed here")
                .isZero();
    }

    @Test
    void anOwnerIsProposedOnceHoweverLongTheTableTakes() {
        Placement placement = placement("ldg", Map.of("window", "10"));
        placement.accept(edges(1, 2), into);
        placement.placeHeldBefore(placement.heldEver(), into);
        placement.accept(edges(1, 3), into);
        placement.placeHeldBefore(placement.heldEver(), into);
        assertThat(placement.ownerLoads().totalOwned()).isEqualTo(3);
        for (int vertex = 1; vertex <= 3; vertex++) {
            decide(placement, vertex, vertex);
        }
        assertThat(placed).containsExactly("1 2 on 1 2", "1 3 on 1 3");
        assertThat(placement.heldCount()).isZero();
    }
}
