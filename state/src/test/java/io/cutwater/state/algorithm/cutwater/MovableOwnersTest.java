package io.cutwater.state.algorithm.cutwater;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.joint.EarlierOwners;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.passes.EdgeCounts;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Plans in which vertices may get another owner. */
class MovableOwnersTest {
    private static final int CLIQUE = 40;

    private static int[] owners(int[] present, EdgeCounts counts, int[] degrees) {
        EdgeBatch edges = new EdgeBatch();
        for (int u = 0; u < 2 * CLIQUE; u++) {
            for (int v = u + 1; v < 2 * CLIQUE; v++) {
                if (u / CLIQUE == v / CLIQUE) {
                    edges.add(u, v);
                }
            }
        }
        return owners(edges, present, counts, degrees, true);
    }

    private static int[] owners(EdgeBatch edges, int[] present, EdgeCounts counts, int[] degrees, boolean isKeeping) {
        AdjacencyGraph graph = AdjacencyGraph.of(edges);
        CutwaterVertexRule rule = new CutwaterVertexRule(
                PartitionerOptions.ofVertices("cutwater", 2, 1, PassMode.LIVE, Map.of("buffer", "10")));
        GraphSize size = new GraphSize(present.length, edges.size());
        return rule.owners(
                graph,
                new EarlierOwners(counts, degrees, new long[2], new long[2], present, 1.5, size),
                true,
                isKeeping);
    }

    /** All vertices that have an owner may move, so that no partition owns others. */
    @Test
    void verticesWithoutAnOwnerJoinThoseThatKeepTheirs() {
        int[] present = new int[2 * CLIQUE];
        for (int v = 0; v < present.length; v++) {
            present[v] = v % CLIQUE == 0 ? -1 : 1 - v / CLIQUE;
        }
        int[] owners = owners(present, new EdgeCounts(present.length), new int[present.length]);
        for (int v = 0; v < owners.length; v++) {
            assertThat(owners[v]).as("owner of %d", v).isEqualTo(1 - v / CLIQUE);
        }
    }

    /** Communities of which one half is on each partition: hardly a vertex gains by a move of its own. */
    @Test
    void verticesThatBeginWithTheirClustersComeTogether() {
        int[] present = new int[256];
        Arrays.setAll(present, v -> v / 8 % 2 ^ v / 16 % 2);
        EdgeBatch edges = new EdgeBatch();
        SplittableRandom random = new SplittableRandom(1);
        for (int u = 0; u < present.length; u++) {
            for (int v = u + 1; v < 16 * (u / 16 + 1); v++) {
                if (random.nextDouble() < (u / 8 == v / 8 ? 0.6 : 0.35)) {
                    edges.add(u, v);
                }
            }
        }
        EdgeCounts none = new EdgeCounts(present.length);
        assertThat(cut(edges, owners(edges, present, none, new int[present.length], true)))
                .isPositive();
        assertThat(cut(edges, owners(edges, present, none, new int[present.length], false)))
                .isZero();
    }

    private static long cut(EdgeBatch edges, int[] owners) {
        return IntStream.range(0, edges.size())
                .filter(i -> owners[(int) edges.source(i)] != owners[(int) edges.target(i)])
                .count();
    }

    @Test
    void aVertexMovesToItsNeighboursUnlessItsPlacedEdgesHoldIt() {
        int[] present = new int[2 * CLIQUE];
        for (int v = 0; v < present.length; v++) {
            present[v] = v / CLIQUE;
        }
        present[0] = 1;
        assertThat(owners(present, new EdgeCounts(present.length), new int[present.length])[0])
                .isZero();
        EdgeCounts counts = new EdgeCounts(present.length);
        counts.add(0, 1, 100);
        int[] degrees = new int[present.length];
        degrees[0] = 100;
        assertThat(owners(present, counts, degrees)[0]).isEqualTo(1);
    }
}
