package io.cutwater.state.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.cluster.EdgeStreamClustering;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LargestFirstTest {
    @Test
    void theLargestGoesFirstAndEachToTheEmptiest() {
        assertThat(settled(3, 1, 9, 5, 5, 4)).containsExactly(2, 0, 1, 2, 1);
    }

    @Test
    void noClustersAreSettledNowhere() {
        assertThat(settled(3)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1, 5", "2, 1", "3, 1000", "64, 63", "64, 1025", "4096, 9000"})
    void settlesAsTheTextbookDoes(int k, int count) {
        SplittableRandom random = new SplittableRandom(count);
        int[] volumes =
                IntStream.generate(() -> 1 + random.nextInt(30)).limit(count).toArray();
        List<Integer> order = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparing(cluster -> -volumes[cluster]))
                .toList();
        long[] loads = new long[k];
        int[] expected = new int[count];
        for (int cluster : order) {
            int least = 0;
            for (int p = 1; p < k; p++) {
                least = loads[p] < loads[least] ? p : least;
            }
            expected[cluster] = least;
            loads[least] += volumes[cluster];
        }
        assertThat(settled(k, volumes)).isEqualTo(expected);
        long total = Arrays.stream(loads).sum();
        assertThat(Arrays.stream(loads).max().orElseThrow()).isLessThanOrEqualTo(total / k + 30);
    }

    /** Clusters of these volumes, each of one vertex with that final degree. */
    private static int[] settled(int k, int... volumes) {
        VertexTable vertices = new VertexTable(new VertexLayout(k, true).withClusters());
        EdgeStreamClustering clusters = new EdgeStreamClustering();
        for (int vertex = 0; vertex < volumes.length; vertex++) {
            int slot = vertices.slot(vertex);
            for (int i = 0; i < volumes[vertex]; i++) {
                vertices.countFinalEdge(slot);
            }
            clusters.observeKnown(vertices, slot, slot, 0);
        }
        LargestFirst.settle(clusters, k);
        return IntStream.range(0, volumes.length).map(clusters::partition).toArray();
    }
}
