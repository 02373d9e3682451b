package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.joint.JointVertexRule;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.store.MapAdjacencyStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Communities of 32 vertices, each spread over all partitions: no vertex has many more edges to one of them. */
class VertexRegionTest {
    private static final int K = 4;
    private static final int SIZE = 32;
    private static final int EDGES = 1200;
    private static final long ALL = 1 << 20;

    private final StoredEdges kept = StoredEdges.ofVertices(new MapAdjacencyStore(), 0);
    private final PartitionerOptions options =
            new PartitionerOptions(PartitioningKind.VERTEX, "cutwater", K, 3, PassMode.LIVE, Map.of());
    private final Algorithm algorithm = Algorithms.of(options);
    private final JointVertexRule rule = (JointVertexRule) Algorithms.vertexRule(options);
    private final VertexTable vertices =
            new VertexTable(algorithm.layout(options).withCounts());
    private final Placement placement = algorithm.placement(options, vertices, new PartitionLoads(K), kept);

    private static EdgeBatch communities() {
        EdgeBatch edges = new EdgeBatch();
        SplittableRandom random = new SplittableRandom(4);
        while (edges.size() < EDGES) {
            int community = random.nextInt(K);
            int source = SIZE * community + random.nextInt(SIZE);
            int target = SIZE * (random.nextInt(20) == 0 ? random.nextInt(K) : community) + random.nextInt(SIZE);
            edges.add(source, target);
            edges.setPlace(edges.size() - 1, Place.of(source % K, target % K));
        }
        return edges;
    }

    private static EdgeBatch reversed(EdgeBatch edges) {
        EdgeBatch reversed = new EdgeBatch();
        for (int i = edges.size() - 1; i >= 0; i--) {
            reversed.addFrom(edges, i);
        }
        return reversed;
    }

    @Test
    void communitiesComeTogether() {
        placement.accept(communities(), RefinementFigures.UNREAD);
        VertexRegion region = new VertexRegion(new long[] {0}, ALL, vertices, kept);
        assertThat(region.size()).isEqualTo(K * SIZE);
        assertThat(region.choose(rule, placement.ownerLoads(), ALL)).isTrue();
        int[] ofCommunities = new int[K * K];
        IntStream.range(0, region.size())
                .forEach(v -> ofCommunities[K * (int) (region.vertex(v) / SIZE) + region.owner(v)]++);
        for (int community = 0; community < K; community++) {
            assertThat(IntStream.range(K * community, K * community + K)
                            .map(at -> ofCommunities[at])
                            .max()
                            .orElseThrow())
                    .as("vertices of one owner")
                    .isGreaterThan(SIZE - 3);
        }
    }

    @Test
    void nothingIsChosenIfTheMovesAreTooMany() {
        placement.accept(communities(), RefinementFigures.UNREAD);
        VertexRegion region = new VertexRegion(new long[] {0}, ALL, vertices, kept);
        assertThat(region.choose(rule, placement.ownerLoads(), EDGES / 8)).isFalse();
    }

    @Test
    void staysWithinItsVolumeInTheCommunityWhereItBegins() {
        placement.accept(communities(), RefinementFigures.UNREAD);
        VertexRegion region = new VertexRegion(new long[] {SIZE}, EDGES / 4, vertices, kept);
        assertThat(IntStream.range(0, region.size()).mapToLong(region::degree).sum())
                .isBetween(EDGES / 5L, EDGES / 4L);
        assertThat(IntStream.range(0, region.size())
                        .mapToLong(v -> region.vertex(v) / SIZE)
                        .filter(community -> community != 1)
                        .count())
                .isLessThanOrEqualTo(1);
    }

    @Test
    void growsFromTheNextSeedWhenItHasAllThatCanBeReached() {
        EdgeBatch apart = new EdgeBatch();
        EdgeBatch all = communities();
        for (int i = 0; i < all.size(); i++) {
            if (all.source(i) / SIZE == all.target(i) / SIZE) {
                apart.addFrom(all, i);
            }
        }
        placement.accept(apart, RefinementFigures.UNREAD);
        VertexRegion region = new VertexRegion(new long[] {SIZE, SIZE + 1, 3 * SIZE}, ALL, vertices, kept);
        assertThat(IntStream.range(0, region.size()).mapToLong(region::vertex).mapToObj(v -> v / SIZE))
                .hasSize(2 * SIZE)
                .containsOnly(1L, 3L);
    }

    @Test
    void doesNotDependOnTheOrderOfEdges() {
        placement.accept(communities(), RefinementFigures.UNREAD);
        VertexRegion region = new VertexRegion(new long[] {0}, EDGES, vertices, kept);
        boolean isChosen = region.choose(rule, placement.ownerLoads(), ALL);
        VertexRegionTest other = new VertexRegionTest();
        other.placement.accept(reversed(communities()), RefinementFigures.UNREAD);
        VertexRegion otherRegion = new VertexRegion(new long[] {0}, EDGES, other.vertices, other.kept);
        assertThat(otherRegion.choose(rule, other.placement.ownerLoads(), ALL)).isEqualTo(isChosen);
        assertThat(otherRegion.size()).isEqualTo(region.size());
        for (int v = 0; v < region.size(); v++) {
            assertThat(otherRegion.vertex(v)).isEqualTo(region.vertex(v));
            assertThat(otherRegion.owner(v)).isEqualTo(region.owner(v));
        }
    }
}
