package io.cutwater.state.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GivenPlacesTest {
    private static final int K = 5;

    @TempDir
    private Path folder;

    private record Edge(long source, long target) {}

    private static EdgeBatch graph(SplittableRandom random, int edges, int vertices) {
        EdgeBatch batch = new EdgeBatch();
        for (int i = 0; i < edges; i++) {
            batch.add(random.nextInt(vertices) - vertices / 2, random.nextInt(vertices));
        }
        return batch;
    }

    private EdgeBatch place(PartitioningKind kind, EdgeBatch edges, GivenPlaces given)
            throws IOException, InterruptedException {
        PartitionerOptions options = new PartitionerOptions(kind, "cutwater", K, 3, PassMode.BULK, Map.of());
        EdgeBatch placed = new EdgeBatch();
        placed.addAll(edges);
        try (BulkRun run = BulkRun.create(new BulkRequest(options, null, "a file", 1), folder.resolve("scratch"))) {
            run.add(edges);
            run.place(BulkProgress.NONE, given);
            try (PlacedInput places = run.places(0)) {
                assertThat(places.fill(placed)).isZero();
            }
        }
        return placed;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void eachCopyOfAnEdgeTakesItsPlaceAndTheOthersAreSpreadEvenly(long seed) throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        // Few vertices, so that edges have many copies; some of the given edges are not in the graph.
        EdgeBatch edges = graph(random, 4_000, seed == 4 ? 3 : 60);
        GivenPlaces given = new GivenPlaces(PartitioningKind.EDGE, K);
        // The slow twin: places in the order in which their partitions were first given to the edge.
        Map<Edge, Map<Integer, Integer>> counts = new HashMap<>();
        Map<Edge, List<Integer>> order = new HashMap<>();
        for (int i = 0; i < 3_000; i++) {
            int at = random.nextInt(edges.size());
            long shift = random.nextInt(10) == 0 ? 1_000 : 0;
            Edge edge = new Edge(edges.source(at), edges.target(at) + shift);
            int partition = random.nextInt(K - 1); // none on the last
            given.addEdge(edge.source(), edge.target(), partition);
            Map<Integer, Integer> ofEdge = counts.computeIfAbsent(edge, e -> new HashMap<>());
            if (ofEdge.merge(partition, 1, Integer::sum) == 1) {
                order.computeIfAbsent(edge, e -> new ArrayList<>()).add(partition);
            }
        }
        Map<Edge, Deque<Integer>> expected = new HashMap<>();
        order.forEach((edge, partitions) -> {
            Deque<Integer> queue = new ArrayDeque<>();
            for (int partition : partitions) {
                for (int i = counts.get(edge).get(partition); i > 0; i--) {
                    queue.add(partition);
                }
            }
            expected.put(edge, queue);
        });

        EdgeBatch placed = place(PartitioningKind.EDGE, edges, given);
        long[] loads = new long[K];
        long taken = 0;
        for (int i = 0; i < placed.size(); i++) {
            int partition = Place.ofSource(placed.place(i));
            Deque<Integer> queue =
                    expected.getOrDefault(new Edge(placed.source(i), placed.target(i)), new ArrayDeque<>());
            if (!queue.isEmpty()) {
                taken++;
                assertThat(partition).isEqualTo(queue.remove());
            }
            loads[partition]++;
        }
        assertThat(given.given()).isEqualTo(3_000);
        assertThat(given.taken()).isEqualTo(taken).isPositive();
        assertThat(loads[K - 1])
                .as("the partition without given edges gets others")
                .isPositive();
        if (seed < 4) {
            assertThat(loads[K - 1]).isLessThanOrEqualTo((long) Math.ceil(1.05 * placed.size() / K));
        }
    }

    @Test
    void verticesKeepTheirOwnersAndNewOnesJoinTheirNeighbours() throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(7);
        // Communities of 40 vertices: each has one owner, but a fifth of its vertices are new.
        EdgeBatch edges = new EdgeBatch();
        GivenPlaces given = new GivenPlaces(PartitioningKind.VERTEX, K);
        Map<Long, Integer> owners = new HashMap<>();
        for (int community = 0; community < K; community++) {
            for (int i = 0; i < 400; i++) {
                edges.add(community * 40 + random.nextInt(40), community * 40 + random.nextInt(40));
            }
            for (int i = 0; i < 32; i++) {
                owners.put(community * 40L + i, community);
                given.addVertex(community * 40L + i, community);
            }
        }
        given.addVertex(100_000, 0); // not in the graph

        EdgeBatch placed = place(PartitioningKind.VERTEX, edges, given);
        int cut = 0;
        for (int i = 0; i < placed.size(); i++) {
            int ofSource = Place.ofSource(placed.place(i));
            int ofTarget = Place.ofTarget(placed.place(i));
            assertThat(owners.computeIfAbsent(placed.source(i), v -> ofSource)).isEqualTo(ofSource);
            assertThat(owners.computeIfAbsent(placed.target(i), v -> ofTarget)).isEqualTo(ofTarget);
            cut += ofSource == ofTarget ? 0 : 1;
        }
        assertThat(cut).isLessThan(edges.size() / 50);
        assertThat(given.given()).isEqualTo(5 * 32 + 1);
        assertThat(given.taken()).isEqualTo(5 * 32);
    }

    @Test
    void whatCannotBeIsRefused() {
        GivenPlaces edges = new GivenPlaces(PartitioningKind.EDGE, K);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> edges.addEdge(1, 2, K))
                .withMessage("edge (1, 2) is given to partition 5, and there are 5");
        GivenPlaces vertices = new GivenPlaces(PartitioningKind.VERTEX, K);
        vertices.addVertex(9, 1);
        vertices.addVertex(9, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> vertices.addVertex(9, 2))
                .withMessage("vertex 9 is given to partition 1 and to 2");
        assertThat(vertices.given()).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> place(PartitioningKind.EDGE, new EdgeBatch(), vertices));
    }

    @Test
    void balanceIsThatOfWhatWasGiven() {
        GivenPlaces given = new GivenPlaces(PartitioningKind.EDGE, 4);
        assertThat(given.balance()).isEqualTo(1);
        for (int i = 0; i < 6; i++) {
            given.addEdge(i, i, i < 3 ? 0 : 1);
        }
        assertThat(given.balance()).isEqualTo(2);
    }
}
