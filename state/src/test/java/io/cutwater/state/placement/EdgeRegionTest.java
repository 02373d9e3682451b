package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.joint.JointPartitioner;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.store.MapAdjacencyStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Communities of 32 vertices, whose edges are spread over all partitions. */
class EdgeRegionTest {
    private static final int K = 4;
    private static final int SIZE = 32;
    private static final int EDGES = 1200;
    private static final long ALL = 1 << 20;

    private final StoredEdges kept = StoredEdges.ofEdges(new MapAdjacencyStore(), 0);
    private final PartitionerOptions options = new PartitionerOptions(
            PartitioningKind.EDGE, "cutwater", K, 3, PassMode.LIVE, Map.of("buffer", "100", "imbalance", "0.1"));
    private final Algorithm algorithm = Algorithms.of(options);
    private final VertexTable vertices =
            new VertexTable(algorithm.layout(options).withCounts());
    private final PartitionLoads loads = new PartitionLoads(K);
    private final EdgePartitioner rule = (EdgePartitioner) algorithm.streamRule(options);
    private final EdgePlacer placer = new EdgePlacer(rule, vertices, loads, kept);
    private final EdgeBatch edges = communities();
    private int moved;

    private static EdgeBatch communities() {
        EdgeBatch edges = new EdgeBatch();
        SplittableRandom random = new SplittableRandom(4);
        while (edges.size() < EDGES) {
            int community = random.nextInt(K);
            int source = SIZE * community + random.nextInt(SIZE);
            int target = SIZE * (random.nextInt(20) == 0 ? random.nextInt(K) : community) + random.nextInt(SIZE);
            edges.add(source, target);
            edges.setPlace(edges.size() - 1, Place.of(edges.size() % K));
        }
        return edges;
    }

    private void place() {
        for (int i = 0; i < edges.size(); i++) {
            placer.take(edges, i, RefinementFigures.UNREAD);
        }
    }

    private EdgeRegion region(EdgeBatch ofRegion) {
        return new EdgeRegion(ofRegion, (JointPartitioner) rule, vertices, loads);
    }

    @Test
    void communitiesComeTogether() {
        place();
        EdgeRegion region = region(edges);
        assertThat(region.choose(ALL)).isTrue();
        assertThat(region.size()).isEqualTo(EDGES);
        int[] ofCommunities = new int[K * K];
        for (int i = 0; i < EDGES; i++) {
            ofCommunities[K * (int) (edges.source(region.edge(i)) / SIZE) + region.place(i)]++;
        }
        for (int community = 0; community < K; community++) {
            int most = IntStream.range(K * community, K * community + K)
                    .map(at -> ofCommunities[at])
                    .max()
                    .orElseThrow();
            assertThat(most).as("edges on one partition").isGreaterThan(EDGES / K * 3 / 4);
        }
    }

    @Test
    void nothingIsChosenIfTheMovesAreTooMany() {
        place();
        assertThat(region(edges).choose(EDGES / 8)).isFalse();
    }

    @Test
    void edgesMoveWithinTheCapAndTellTheirPlaces() {
        place();
        double before = replicationFactor();
        long moves = placer.replace(edges, ALL, kept, new PlacedEdges() {
            @Override
            public void placed(long source, long target, double weight, long timestamp, long key, int place) {
                throw new AssertionError("nothing is placed");
            }

            @Override
            public void changed(
                    ShardChange change,
                    long source,
                    long target,
                    double weight,
                    long timestamp,
                    long key,
                    int shard,
                    int place) {
                moved += change == ShardChange.ADOPT ? 1 : 0;
            }
        });
        assertThat(moves).isEqualTo(moved).isGreaterThan(EDGES / 2);
        assertThat(replicationFactor()).isLessThan(0.7 * before);
        assertThat((double) loads.maxEdges()).isLessThanOrEqualTo(1.1 * EDGES / K + 24);
        long[] told = new long[K];
        for (int i = 0; i < EDGES; i++) {
            told[Place.ofSource(edges.place(i))]++;
        }
        assertThat(told).isEqualTo(loads.edges());
    }

    @Test
    void edgesThatAreElsewhereOrGoneAreLeftOut() {
        place();
        int[] away = IntStream.range(0, EDGES).filter(i -> i % 10 == 0).toArray();
        for (int i : away) {
            int from = Place.ofSource(edges.place(i));
            placer.move(edges.source(i), edges.target(i), from, (from + 1) % K, kept, RefinementFigures.UNREAD);
        }
        long vertexCount = vertices.vertexCount();
        EdgeBatch all = new EdgeBatch();
        for (int i = 0; i < EDGES; i++) {
            all.addFrom(edges, i);
            all.setPlace(all.size() - 1, edges.place(i));
        }
        for (int i = 0; i < 50; i++) {
            all.add(-1 - i, -2 - i); // such as were removed
            all.setPlace(all.size() - 1, Place.of(i % K));
        }
        EdgeRegion region = region(all);
        boolean isChosen = region.choose(ALL);
        assertThat(vertices.vertexCount()).isEqualTo(vertexCount);
        for (int i = 0; isChosen && i < region.size(); i++) {
            int edge = region.edge(i);
            assertThat(edge).isLessThan(EDGES);
            assertThat(vertices.edgesAt(vertices.slot(edges.source(edge)), Place.ofSource(edges.place(edge))))
                    .isPositive();
        }
        assertThat(isChosen).isTrue();
        assertThat(region.size()).isBetween(EDGES / 2, EDGES - away.length / 2);
    }

    private double replicationFactor() {
        return (double) loads.totalReplicas() / loads.totalVertices();
    }
}
