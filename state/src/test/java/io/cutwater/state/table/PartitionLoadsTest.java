package io.cutwater.state.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionLoadsTest {
    @ParameterizedTest(name = "k = {0}")
    @ValueSource(ints = {1, 2, 3, 5, 7, 31, 32, 33, 64, 200, 4096})
    void knowsItsExtremesAsASearchDoes(int partitionCount) {
        for (long seed = 0; seed < 8; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double skew = 1 + 4 * random.nextDouble();
            PartitionLoads loads = new PartitionLoads(partitionCount);
            long[] edges = new long[partitionCount];
            for (int i = 0; i < 3000; i++) {
                // One edge in two fills the emptiest, as a balancing rule would.
                int partition = random.nextBoolean()
                        ? loads.leastLoaded()
                        : (int) (partitionCount * Math.pow(random.nextDouble(), skew));
                boolean leaves = edges[partition] > 0 && random.nextInt(3) == 0;
                if (leaves) {
                    loads.removeEdge(partition);
                } else {
                    loads.addEdge(partition);
                }
                edges[partition] += leaves ? -1 : 1;
                assertThat(loads.edges(partition)).isEqualTo(edges[partition]);
                assertSameExtremes(loads, edges);
                if (i % 1000 == 500) {
                    loads = new PartitionLoads(loads.edges(), loads.vertices(), loads.totalVertices());
                    assertSameExtremes(loads, edges);
                }
            }
            assertThat(loads.edges()).isEqualTo(edges);
            assertThat(loads.totalEdges()).isEqualTo(Arrays.stream(edges).sum());
        }
    }

    @Test
    void anEdgeLeavesOnlyWhereThereIsOne() {
        PartitionLoads loads = new PartitionLoads(3);
        loads.addEdge(1);
        loads.removeEdge(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> loads.removeEdge(1))
                .withMessage("partition 1 has no edge that could leave it");
    }

    @Test
    void keepsTheMostReplicasWhenSomeGo() {
        PartitionLoads loads = new PartitionLoads(new long[3], new long[] {4, 6, 6}, 9);
        loads.removeReplica(1, false);
        assertThat(loads.maxVertices()).isEqualTo(6);
        loads.removeReplica(2, true);
        assertThat(loads.maxVertices()).isEqualTo(5);
        assertThat(loads.totalReplicas()).isEqualTo(14);
        assertThat(loads.totalVertices()).isEqualTo(8);
    }

    @Test
    void goesOnWithAnotherNumberOfPartitionsUnlessOneThatGoesHasSomething() {
        PartitionLoads loads = new PartitionLoads(new long[] {3, 1, 0}, new long[] {4, 2, 0}, 5);
        PartitionLoads more = loads.resized(5);
        assertThat(more.leastLoaded()).isEqualTo(2);
        assertThat(more.resized(2).edges()).containsExactly(3, 1);
        assertThatIllegalStateException()
                .isThrownBy(() -> more.resized(1))
                .withMessage("partition 1 cannot go: it has 1 edges and 2 vertices");
    }

    private static void assertSameExtremes(PartitionLoads loads, long[] edges) {
        int least = 0;
        long max = 0;
        for (int p = 0; p < edges.length; p++) {
            least = edges[p] < edges[least] ? p : least;
            max = Math.max(max, edges[p]);
        }
        if (loads.leastLoaded() != least || loads.minEdges() != edges[least] || loads.maxEdges() != max) {
            throw new AssertionError("least loaded %d (%d edges), max %d; is %d (%d), %d: %s"
                    .formatted(
                            loads.leastLoaded(),
                            loads.minEdges(),
                            loads.maxEdges(),
                            least,
                            edges[least],
                            max,
                            Arrays.toString(edges)));
        }
    }

    @Test
    void fillsEqualPartitionsInOrder() {
        PartitionLoads loads = new PartitionLoads(3);
        for (int i = 0; i < 9; i++) {
            assertThat(loads.leastLoaded()).isEqualTo(i % 3);
            loads.addEdge(loads.leastLoaded());
        }
    }

    @Test
    void ranksByLoadAndThenByNumber() {
        long[] edges = new long[200];
        Arrays.setAll(edges, p -> 1L << 40);
        edges[70] = 5;
        edges[72] = 5;
        PartitionLoads loads = new PartitionLoads(edges, new long[200], 0);
        assertThat(loads.rank(70)).isLessThan(loads.rank(72));
        assertThat(loads.rank(72)).isLessThan(loads.rank(0));
        assertThat(PartitionLoads.edgesOf(loads.rank(199))).isEqualTo(1L << 40);
        assertThat(PartitionLoads.partitionOf(loads.rank(199))).isEqualTo(199);
        long bits = 1L << (69 - 64) | 1L << (72 - 64);
        assertThat(loads.smallestRank(1, bits, Long.MAX_VALUE)).isEqualTo(loads.rank(72));
        assertThat(loads.smallestRank(1, bits, loads.rank(70))).isEqualTo(loads.rank(70));
        assertThat(loads.smallestRank(1, 0, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void countsReplicasAndDistinctVertices() {
        PartitionLoads loads = new PartitionLoads(3);
        loads.addReplica(1, true);
        loads.addReplica(2, false);
        loads.addReplica(1, true);
        assertThat(loads.vertices()).containsExactly(0, 2, 1);
        assertThat(loads.vertices(1)).isEqualTo(2);
        assertThat(loads.totalReplicas()).isEqualTo(3);
        assertThat(loads.totalVertices()).isEqualTo(2);
    }

    @Test
    void goesOnFromLoadsThatWereCountedBefore() {
        long[] edges = {5, 1L << 50, 2};
        PartitionLoads loads = new PartitionLoads(edges, new long[] {3, 4, 2}, 6);
        edges[2] = 0; // it keeps a copy
        assertThat(loads.leastLoaded()).isEqualTo(2);
        assertThat(loads.minEdges()).isEqualTo(2);
        assertThat(loads.maxEdges()).isEqualTo(1L << 50);
        assertThat(loads.totalEdges()).isEqualTo((1L << 50) + 7);
        assertThat(loads.totalReplicas()).isEqualTo(9);
        assertThat(loads.totalVertices()).isEqualTo(6);
    }

    @Test
    void refusesColumnsThatDoNotFit() {
        assertThatIllegalArgumentException().isThrownBy(() -> new PartitionLoads(0));
        assertThatIllegalArgumentException().isThrownBy(() -> new PartitionLoads(4097));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PartitionLoads(new long[3], new long[2], 0))
                .withMessageContaining("3 and 2");
    }
}
