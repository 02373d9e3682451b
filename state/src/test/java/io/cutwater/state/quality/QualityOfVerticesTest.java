package io.cutwater.state.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RandomGraphs;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class QualityOfVerticesTest {
    @Test
    void countsAPathCutInTheMiddle() {
        EdgeBatch path = new EdgeBatch();
        path.add(0, 1);
        path.add(1, 2);
        path.add(2, 3);
        Quality quality = Quality.of(AdjacencyGraph.of(path), new int[] {0, 0, 1, 1}, 2);
        assertThat(quality.perPartition())
                .containsExactly(new PartitionQuality(0, 2, 3, 1, 2), new PartitionQuality(1, 2, 3, 1, 2));
        assertThat(quality.edgeCutRatio().orElseThrow()).isEqualTo(1.0 / 3);
        assertThat(quality.vertexBalance()).isEqualTo(1.0);
        assertThat(quality.volumeBalance().orElseThrow()).isEqualTo(1.0);
        assertThat(quality.replicationFactor()).isEqualTo(6.0 / 4);
    }

    @Test
    void aStarOnAPartitionOfItsOwnIsReplicatedEverywhereAndSoAreItsLeaves() {
        EdgeBatch star = new EdgeBatch();
        for (int leaf = 1; leaf <= 8; leaf++) {
            star.add(0, leaf);
        }
        Quality quality = Quality.of(AdjacencyGraph.of(star), new int[] {0, 1, 1, 1, 1, 2, 2, 2, 2}, 3);
        assertThat(quality.edgeCutRatio().orElseThrow()).isEqualTo(1.0);
        assertThat(quality.replicationFactor()).isEqualTo((9 + 5 + 5) / 9.0);
        assertThat(quality.vertexBalance()).isEqualTo(4 * 3 / 9.0);
        assertThat(quality.volumeBalance().orElseThrow()).isEqualTo(8 * 3 / 16.0);
    }

    @Test
    void verticesWithoutAnEdgeCountForNothing() {
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, 2);
        AdjacencyGraph graph = AdjacencyGraph.of(new long[] {1, 2, 3, 4}, edges);
        Quality quality = Quality.of(graph, new int[] {0, 0, 1, 1}, 2);
        assertThat(quality.vertices()).isEqualTo(2);
        assertThat(quality.vertexBalance()).isEqualTo(2.0);
        assertThat(quality.perPartition().get(1)).isEqualTo(new PartitionQuality(1, 0, 0, 0, 0));
    }

    @Test
    void anEmptyGraphIsPerfect() {
        Quality quality = Quality.of(AdjacencyGraph.of(new EdgeBatch()), new int[0], 5);
        assertThat(quality.edgeCutRatio().orElseThrow()).isZero();
        assertThat(quality.vertexBalance()).isEqualTo(1.0);
        assertThat(quality.volumeBalance().orElseThrow()).isEqualTo(1.0);
        assertThat(quality.replicationFactor()).isEqualTo(1.0);
    }

    @Test
    void countsWhatSetsCount() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            EdgeBatch edges = RandomGraphs.graph(seed);
            AdjacencyGraph graph = AdjacencyGraph.of(edges);
            int k = random.nextInt(1, 9);
            int[] partitions = random.ints(graph.vertexCount(), 0, k).toArray();
            Set<List<Integer>> copies = new HashSet<>();
            long[] edgesOf = new long[k];
            long cut = 0;
            for (int i = 0; i < graph.edgeCount(); i++) {
                int u = graph.source(i);
                int v = graph.target(i);
                cut += partitions[u] != partitions[v] ? 1 : 0;
                edgesOf[partitions[u]]++;
                edgesOf[partitions[v]] += partitions[u] != partitions[v] ? 1 : 0;
                for (int p : new int[] {partitions[u], partitions[v]}) {
                    copies.add(List.of(u, p));
                    copies.add(List.of(v, p));
                }
            }
            Quality quality = Quality.of(graph, partitions, k);
            assertThat(quality.cutEdges().orElseThrow()).as("seed %d", seed).isEqualTo(cut);
            assertThat(quality.perPartition().stream().mapToLong(PartitionQuality::edges))
                    .as("seed %d", seed)
                    .containsExactly(Arrays.stream(edgesOf).boxed().toArray(Long[]::new));
            assertThat(quality.replicationFactor())
                    .as("seed %d", seed)
                    .isEqualTo(graph.vertexCount() == 0 ? 1.0 : (double) copies.size() / graph.vertexCount());
        }
    }

    @Test
    void refusesAListThatDoesNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quality.ofVertices(2, 0, 0, 0, List.of()))
                .withMessage("perPartition must have 2 entries: 0");
    }
}
