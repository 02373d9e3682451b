package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VertexPlacerTest {
    private static PartitionerOptions live(String algorithm, int k, String... window) {
        return PartitionerOptions.ofVertices(
                algorithm, k, 1, PassMode.LIVE, window.length == 0 ? Map.of() : Map.of("window", window[0]));
    }

    private static EdgeBatch edges(long... ends) {
        EdgeBatch batch = new EdgeBatch();
        for (int i = 0; i < ends.length; i += 2) {
            batch.add(ends[i], ends[i + 1]);
        }
        return batch;
    }

    @Test
    void anEdgeWaitsUntilTheWindowIsFull() {
        OwnedEdges run = new OwnedEdges(edges(1, 2, 3, 4, 5, 6), live("fennel", 2, "2"));
        run.feed(0, 2);
        assertThat(run.shards).isEmpty();
        assertThat(run.assigner.heldCount()).isEqualTo(2);
        assertThat(run.assigner.quality(0).vertices()).isZero();
        run.feed(2, 3);
        assertThat(run.shards).hasSize(1);
        assertThat(run.assigner.placedEdges()).isEqualTo(1);
    }

    @Test
    void volumeSlackIsAlsoTheLiveCapUnlessThatIsSet() {
        EdgeBatch graph = new EdgeBatch();
        SyntheticGraph.rmat(10, 3).fill(graph, 8_000);
        Map<Long, Integer> tight = ownersOfCutwater(graph, Map.of("live-volume-slack", "1.01"));
        assertThat(ownersOfCutwater(graph, Map.of("volume-slack", "1.01"))).isEqualTo(tight);
        assertThat(ownersOfCutwater(graph, Map.of())).isNotEqualTo(tight);
        assertThat(ownersOfCutwater(graph, Map.of("volume-slack", "1.01", "live-volume-slack", "1.3")))
                .isEqualTo(ownersOfCutwater(graph, Map.of()));
    }

    private static Map<Long, Integer> ownersOfCutwater(EdgeBatch graph, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("window", "100");
        return new OwnedEdges(graph, PartitionerOptions.ofVertices("cutwater", 4, 1, PassMode.LIVE, all))
                .run(500)
                .owners();
    }

    @Test
    void theVertexWithTheMostEdgesIsPlacedFirst() {
        OwnedEdges run = new OwnedEdges(edges(1, 2, 7, 3, 7, 4, 7, 5), live("fennel", 2, "3"));
        run.feed(0, 4);
        assertThat(run.assigner.ownerLoads().owned(0)).isEqualTo(1);
        assertThat(run.vertices.master(run.vertices.slot(7)))
                .as("the first of all goes to the first partition")
                .isZero();
    }

    @Test
    void whatHasWaitedForTooLongIsPlacedAndNothingElse() {
        OwnedEdges run = new OwnedEdges(edges(1, 2, 3, 4, 3, 5), live("cutwater", 2));
        run.feed(0, 1);
        long before = run.assigner.heldEver();
        run.feed(1, 3);
        run.assigner.placeHeldBefore(before, run);
        assertThat(run.shards.keySet()).containsExactly(0);
        assertThat(run.assigner.heldCount()).isEqualTo(2);
    }

    @Test
    void aCliqueStaysTogether() {
        EdgeBatch cliques = new EdgeBatch();
        for (int round = 1; round < 8; round++) {
            for (int i = 0; i + round < 8; i++) {
                for (int clique = 0; clique < 4; clique++) {
                    cliques.add(100L * clique + i, 100L * clique + i + round);
                }
            }
        }
        OwnedEdges run = new OwnedEdges(cliques, live("ldg", 4)).run(10);
        assertThat(run.assigner.quality(0).cutEdges().orElseThrow()).isZero();
        assertThat(run.assigner.quality(0).vertexBalance()).isEqualTo(1);
    }

    @Test
    void aSelfLoopIsOneEdgeAndTwoOfItsVertexsVolume() {
        OwnedEdges run = new OwnedEdges(edges(5, 5, 5, 6), live("ldg", 3)).run(1);
        int owner = run.owners().get(5L);
        assertThat(run.shards.get(0)).containsExactly(owner);
        assertThat(run.vertices.degree(run.vertices.slot(5))).isEqualTo(3);
        assertThat(run.assigner.quality(0)).isEqualTo(run.recount());
    }

    @Test
    void edgesWithTheirOwnersAreTakenDownAsTheyAre() {
        EdgeBatch graph = edges(1, 2, 2, 3, 3, 3, 1, 3);
        int[] owners = {0, 4, 4, 2};
        for (int i = 0; i < graph.size(); i++) {
            graph.setPlace(i, Place.of(owners[(int) graph.source(i)], owners[(int) graph.target(i)]));
        }
        PartitionerOptions bulk = PartitionerOptions.ofVertices("spring", 5, 1, PassMode.BULK, Map.of());
        OwnedEdges run = new OwnedEdges(graph, bulk).run(2);
        assertThat(run.shards)
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(0, List.of(4), 1, List.of(4, 2), 2, List.of(2), 3, List.of(4, 2)));
        assertThat(run.owners()).isEqualTo(Map.of(1L, 4, 2L, 4, 3L, 2));
        assertThat(run.assigner.quality(0)).isEqualTo(run.recount());
    }

    @Test
    void anEdgeWithItsOwnersReleasesWhatWaitsForThem() {
        EdgeBatch graph = edges(1, 2, 1, 2, 2, 9);
        graph.setPlace(1, Place.of(2, 0));
        OwnedEdges run = new OwnedEdges(graph, live("cutwater", 3));
        run.feed(0, 2);
        assertThat(run.shards).containsExactlyInAnyOrderEntriesOf(Map.of(0, List.of(2, 0), 1, List.of(2, 0)));
        run.feed(2, 3);
        assertThat(run.assigner.heldCount()).isEqualTo(1);
        run.assigner.placeHeld(run);
        assertThat(run.assigner.quality(0)).isEqualTo(run.recount());
    }

    @Test
    void anotherOwnerThanAVertexHasIsRefused() {
        EdgeBatch graph = edges(1, 2, 1, 3);
        graph.setPlace(0, Place.of(1, 1));
        graph.setPlace(1, Place.of(0, 1));
        OwnedEdges run = new OwnedEdges(graph, live("hash", 3));
        assertThatIllegalStateException()
                .isThrownBy(() -> run.feed(0, 2))
                .withMessage("an edge comes with owner 0 of vertex 1, which has owner 1 already");
    }

    @Test
    void anEdgeWithoutItsOwnersIsRefusedWhereNoRuleIs() {
        PartitionerOptions bulk = PartitionerOptions.ofVertices("spring", 5, 1, PassMode.BULK, Map.of());
        OwnedEdges run = new OwnedEdges(edges(1, 2), bulk);
        assertThatIllegalStateException()
                .isThrownBy(() -> run.feed(0, 1))
                .withMessageContaining("without the owners that it should have been given");
    }

    @Test
    void anAlgorithmWithoutARuleForAStreamIsRefusedThere() {
        for (String algorithm : List.of("grem", "spring", "sigma-vertex")) {
            assertThat(Algorithms.get(PartitioningKind.VERTEX, algorithm).runs(PassMode.LIVE))
                    .isFalse();
            assertThat(Algorithms.get(PartitioningKind.VERTEX, algorithm).runs(PassMode.BULK))
                    .isTrue();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Algorithms.vertexRule(live(algorithm, 4)))
                    .withMessage(algorithm
                            + " reads its whole input before it places anything, so it needs --passes bulk and an"
                            + " input that ends; live there are cutwater, fennel, hash, ldg");
        }
        assertThat(Algorithms.get(PartitioningKind.VERTEX, "ldg").runs(PassMode.LIVE))
                .isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Algorithms.vertexRule(live("best", 4)))
                .withMessageStartingWith("there is no vertex partitioner named 'best'; there are");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Algorithms.vertexRule(live("hash", 4, "7")))
                .withMessageContaining("hash has no setting named 'window'");
    }

    @Test
    void theStateOfAnotherAlgorithmIsRefused() {
        PartitionerOptions cutwater = live("cutwater", 3);
        List<byte[]> state =
                new OwnedEdges(edges(1, 2), cutwater).run(1).assigner.snapshot();
        PartitionLoads loads = new PartitionLoads(3);
        PartitionerOptions fennel = live("fennel", 3);
        Placement other = new Placement(
                Algorithms.vertexRule(fennel),
                new VertexTable(Algorithms.get(PartitioningKind.VERTEX, fennel.algorithm())
                        .layout(fennel)),
                loads);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> other.restore(state, new EdgeBatch(1)))
                .withMessageContaining("another algorithm");
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> new OwnerLoads(3).restore(state.get(1)))
                .withMessageContaining("are no loads of partitions in version 1");
    }
}
