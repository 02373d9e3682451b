package io.cutwater.state.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LargestFirstTest {
    @Test
    void theLargestGoesFirstAndEachToTheEmptiest() {
        assertThat(LargestFirst.plan(new long[] {1, 9, 5, 5, 4}, 3)).containsExactly(2, 0, 1, 2, 1);
    }

    @Test
    void noClustersAreSettledNowhere() {
        assertThat(LargestFirst.plan(new long[0], 3)).isEmpty();
    }

    @Test
    void aClusterWithoutWeightTakesNoRoom() {
        assertThat(LargestFirst.plan(new long[] {0, 2, 0, 3}, 2)).containsExactly(1, 1, 1, 0);
    }

    @Test
    void morePartitionsThanThereMayBeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LargestFirst.plan(new long[1], 4097))
                .withMessage("partitions must be in [1, 4096]: 4097");
    }

    @ParameterizedTest
    @CsvSource({"1, 5", "2, 1", "3, 1000", "64, 63", "64, 1025", "4096, 9000"})
    void settlesAsTheTextbookDoes(int k, int count) {
        SplittableRandom random = new SplittableRandom(count);
        long[] weights =
                LongStream.generate(() -> random.nextInt(31)).limit(count).toArray();
        List<Integer> order = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparing(cluster -> -weights[cluster]))
                .toList();
        long[] loads = new long[k];
        int[] expected = new int[count];
        for (int cluster : order) {
            int least = 0;
            for (int p = 1; p < k; p++) {
                least = loads[p] < loads[least] ? p : least;
            }
            expected[cluster] = least;
            loads[least] += weights[cluster];
        }
        assertThat(LargestFirst.plan(weights, k)).isEqualTo(expected);
        long total = Arrays.stream(loads).sum();
        assertThat(Arrays.stream(loads).max().orElseThrow()).isLessThanOrEqualTo(total / k + 30);
    }
}
