package io.cutwater.state.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cutwater.state.cluster.LargestFirst;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuotientPlannerTest {
    /**
     * Communities of 30 clusters with dense edges inside and one edge in ten across; cluster c is of community c %
     * count.
     */
    private static QuotientGraph communities(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int clusterCount = 30 * count;
        QuotientGraphBuilder builder = new QuotientGraphBuilder(clusterCount);
        int[] degrees = new int[clusterCount];
        for (int i = 0; i < 20 * clusterCount; i++) {
            int one = random.nextInt(clusterCount);
            boolean isAcross = random.nextInt(10) == 0;
            int other = isAcross ? random.nextInt(clusterCount) : random.nextInt(30) * count + one % count;
            builder.addEdge(one, other);
            degrees[one]++;
            degrees[other]++;
        }
        for (int c = 0; c < clusterCount; c++) {
            builder.addVertex(c, degrees[c]);
        }
        return builder.build();
    }

    private static PlanRequest request(QuotientGraph graph, int k, double slack) {
        return new PlanRequest(
                k,
                (long) Math.ceil(slack * graph.totalSize() / k),
                (long) Math.ceil(slack * graph.totalVolume() / k),
                1);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8, 16})
    void findsPlantedCommunities(int k) {
        QuotientGraph graph = communities(k, 3);
        int[] planted = IntStream.range(0, graph.clusterCount()).map(c -> c % k).toArray();
        int[] plan = QuotientPlanner.plan(graph, request(graph, k, 1.15));
        assertThat(graph.cut(plan)).isLessThanOrEqualTo(graph.cut(planted));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void holdsAllCapsWhereVerticesVolumeAndTrainingPullApart(boolean hasTraining) {
        for (long seed = 0; seed < 10; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int k = random.nextInt(2, 12);
            int clusterCount = 60 * k;
            QuotientGraphBuilder builder = new QuotientGraphBuilder(clusterCount);
            for (int c = 0; c < clusterCount; c++) {
                for (int i = random.nextInt(1, 10); i > 0; i--) {
                    builder.addVertex(c, c < clusterCount / 2 ? random.nextInt(50) : 1);
                    if (hasTraining && c % 120 < 30 && random.nextInt(4) > 0) {
                        builder.addTraining(c);
                    }
                }
            }
            for (int i = 0; i < 10 * clusterCount; i++) {
                int one = random.nextInt(clusterCount);
                builder.addEdge(one, Math.min(clusterCount - 1, one + random.nextInt(20)));
            }
            QuotientGraph graph = builder.build();
            PlanRequest request = request(graph, k, 1.05);
            if (hasTraining) {
                request = request.withMaxTraining((long) Math.ceil(1.05 * graph.totalTraining() / k));
                assertThat(graph.totalTraining()).isPositive();
            }
            int[] plan = QuotientPlanner.plan(graph, request);
            assertThat(fullest(graph.sizes(), plan, k)).as("seed %d", seed).isLessThanOrEqualTo(request.maxSize());
            assertThat(fullest(graph.volumes(), plan, k)).as("seed %d", seed).isLessThanOrEqualTo(request.maxVolume());
            assertThat(fullest(graph.trainings(), plan, k))
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(request.maxTraining());
        }
    }

    private static long fullest(long[] weights, int[] plan, int k) {
        long[] loads = new long[k];
        for (int c = 0; c < plan.length; c++) {
            loads[plan[c]] += weights[c];
        }
        return Arrays.stream(loads).max().orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 64, 4096})
    void everyClusterHasAPartitionAlsoWithMorePartitionsThanClusters(int k) {
        for (int clusterCount : new int[] {0, 1, 2, 50}) {
            QuotientGraph graph = clusterCount == 0
                    ? new QuotientGraphBuilder(0).build()
                    : QuotientGraphTest.random(clusterCount, 100, 5, new TreeMap<>());
            int[] plan = QuotientPlanner.plan(graph, request(graph, k, 1.05));
            assertThat(plan).hasSize(clusterCount);
            assertThat(Arrays.stream(plan)).allMatch(p -> p >= 0 && p < k);
        }
    }

    @Test
    void theSameSeedGivesTheSamePlan() {
        QuotientGraph graph = QuotientGraphTest.random(1000, 8000, 2, new TreeMap<>());
        assertThat(QuotientPlanner.plan(graph, request(graph, 7, 1.05)))
                .isEqualTo(QuotientPlanner.plan(graph, request(graph, 7, 1.05)));
    }

    @Test
    void cutsAQuarterLessThanLargestFirstAtLeast() {
        QuotientGraph graph = communities(12, 9);
        int[] largestFirst = LargestFirst.plan(graph.volumes(), 8);
        assertThat(graph.cut(QuotientPlanner.plan(graph, request(graph, 8, 1.10))))
                .isLessThan(graph.cut(largestFirst) * 3 / 4);
    }

    @Test
    void movesLessTheMoreAMoveCosts() {
        QuotientGraph graph = communities(8, 4);
        int[] present = new SplittableRandom(1).ints(graph.clusterCount(), 0, 8).toArray();
        long before = Long.MAX_VALUE;
        for (double cost : new double[] {0, 0.05, 1000}) {
            PlanRequest request = new PlanRequest(
                    8,
                    graph.totalSize() / 8 * 6 / 5,
                    graph.totalVolume() / 8 * 6 / 5,
                    Long.MAX_VALUE,
                    1,
                    present,
                    cost,
                    null);
            int[] plan = QuotientPlanner.plan(graph, request);
            long moved = IntStream.range(0, plan.length)
                    .filter(c -> plan[c] != present[c])
                    .mapToLong(c -> graph.volumes()[c])
                    .sum();
            assertThat(moved).as("at a cost of %s", cost).isLessThan(before);
            before = moved;
        }
        // What is left at the highest price is what the caps force.
        assertThat(before).isLessThan(graph.totalVolume() / 10);
    }

    @Test
    void aPresentPartitionThatIsNoMoreIsNobodysHome() {
        QuotientGraph graph = communities(4, 4);
        int[] present = IntStream.range(0, graph.clusterCount()).map(c -> c % 4).toArray();
        PlanRequest request = new PlanRequest(
                3, graph.totalSize() / 2, graph.totalVolume() / 2, Long.MAX_VALUE, 1, present, 1000, null);
        int[] plan = QuotientPlanner.plan(graph, request);
        assertThat(Arrays.stream(plan)).allMatch(p -> p < 3);
        assertThat(IntStream.range(0, plan.length).filter(c -> present[c] < 3)).allMatch(c -> plan[c] == present[c]);
    }

    @Test
    void clustersGoWherePartitionsDrawThemAndHaveRoom() {
        int k = 3;
        QuotientGraphBuilder builder = new QuotientGraphBuilder(30 + k);
        for (int c = 0; c < 30; c++) {
            for (int v = 0; v < 10; v++) {
                builder.addVertex(c, 4);
            }
            builder.addEdges(c, 30 + c % k, 20);
        }
        PlanRooms rooms = new PlanRooms(new long[] {100, 150, 50}, new long[] {400, 1000, 1000});
        PlanRequest request = new PlanRequest(k, 1000, 1000, 1).withRooms(rooms);
        int[] plan = QuotientPlanner.plan(builder.build(), request);
        assertThat(IntStream.range(0, k).filter(p -> plan[30 + p] == p).count()).isEqualTo(k);
        int[] sizes = new int[k];
        for (int c = 0; c < 30; c++) {
            sizes[plan[c]] += 10;
        }
        // Ten clusters are drawn to each partition. The last one has room for five, so five go to the second one.
        assertThat(sizes[2]).isEqualTo(50);
        assertThat(IntStream.range(0, 30).filter(c -> c % k == plan[c]).count()).isEqualTo(25);
    }

    @Test
    void refusesAPresentPlanOfAnotherGraphAndAPriceBelowNothing() {
        QuotientGraph graph = communities(2, 4);
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> QuotientPlanner.plan(graph, new PlanRequest(2, 100, 100, 100, 1, new int[3], 1, null)))
                .withMessage("the present plan must have a partition for each of 60 clusters: 3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PlanRequest(2, 1, 1, 1, 1, null, -1, null))
                .withMessage("the cost of a move must be a number of edges from 0 on: -1.0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PlanRequest(0, 1, 1, 1))
                .withMessage("partitions must be in [1, 4096]: 0");
    }

    @Test
    void largestFirstGivesTheLargestToTheEmptiest() {
        assertThat(LargestFirst.plan(new long[] {3, 9, 3, 5, 1}, 2)).containsExactly(1, 0, 1, 1, 0);
    }
}
