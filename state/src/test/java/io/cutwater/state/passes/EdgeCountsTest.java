package io.cutwater.state.passes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EdgeCountsTest {
    @Test
    void countsAsATableOfAllPairsDoesAndListsTheLargestFirst() {
        for (long seed = 0; seed < 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int n = random.nextInt(1, 40);
            int k = seed % 5 == 0 ? 4096 : random.nextInt(1, 70);
            int[][] table = new int[n][k];
            EdgeCounts counts = new EdgeCounts(n);
            for (int step = 0; step < 40_000; step++) {
                int vertex = random.nextInt(n);
                int partition = (int) (k * Math.pow(random.nextDouble(), 2));
                if (table[vertex][partition] > 0 && random.nextInt(100) < (step / 10_000 % 2 == 0 ? 40 : 90)) {
                    table[vertex][partition]--;
                    counts.remove(vertex, partition);
                } else if (step % 3 == 0) {
                    int more = random.nextInt(1, 5);
                    assertThat(counts.add(vertex, partition, more)).isEqualTo(table[vertex][partition] == 0);
                    table[vertex][partition] += more;
                } else {
                    table[vertex][partition]++;
                    counts.add(vertex, partition);
                }
                assertThat(counts.count(vertex, partition)).isEqualTo(table[vertex][partition]);
            }
            long replicas = 0;
            for (int vertex = 0; vertex < n; vertex++) {
                int size = counts.size(vertex);
                assertThat(size).as("seed %d", seed).isEqualTo((int)
                        Arrays.stream(table[vertex]).filter(c -> c > 0).count());
                replicas += size;
                for (int i = 0; i < size; i++) {
                    long entry = counts.page(vertex)[counts.first(vertex) + i];
                    assertThat(EdgeCounts.count(entry)).isEqualTo(table[vertex][EdgeCounts.partition(entry)]);
                    assertThat(i == 0
                                    || EdgeCounts.count(counts.page(vertex)[counts.first(vertex) + i - 1])
                                            >= EdgeCounts.count(entry))
                            .as("seed %d, vertex %d", seed, vertex)
                            .isTrue();
                }
            }
            assertThat(counts.replicas()).as("seed %d", seed).isEqualTo(replicas);
        }
    }

    @Test
    void roomThatIsGivenUpIsUsedAgain() {
        // Every vertex grows to 64 partitions and shrinks to one, one after the other: two pages are plenty.
        EdgeCounts counts = new EdgeCounts(10_000);
        for (int vertex = 0; vertex < 10_000; vertex++) {
            for (int partition = 0; partition < 64; partition++) {
                counts.add(vertex, partition);
            }
            for (int partition = 1; partition < 64; partition++) {
                counts.remove(vertex, partition);
            }
        }
        assertThat(counts.replicas()).isEqualTo(10_000);
        assertThat(counts.pageCount()).isLessThanOrEqualTo(2);
    }
}
