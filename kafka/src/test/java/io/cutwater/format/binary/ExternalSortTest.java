package io.cutwater.format.binary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalSortTest {
    private record Pair(long first, long second) {}

    @TempDir
    Path temp;

    @ParameterizedTest(name = "runs of {0} pairs")
    @ValueSource(ints = {1, 7, 1000, 100_000})
    void mergesAnyNumberOfRunsAndKeepsEqualPairs(int runPairs) throws IOException {
        SplittableRandom random = new SplittableRandom(runPairs);
        List<Pair> expected = new ArrayList<>();
        try (ExternalSort sort = ExternalSort.ofPairs(temp.resolve("spill"), runPairs)) {
            for (int i = 0; i < 3_000; i++) {
                Pair pair = new Pair(number(random), number(random));
                for (int copies = random.nextInt(1, 4); copies > 0; copies--) {
                    sort.add(pair.first, pair.second);
                    expected.add(pair);
                }
            }
            expected.sort(Comparator.comparingLong(Pair::first).thenComparingLong(Pair::second));
            assertThat(sort.size()).isEqualTo(expected.size());
            assertThat(all(sort.sorted())).isEqualTo(expected);
            assertThat(all(sort.sorted())).as("read again").isEqualTo(expected);
        }
        assertThat(temp.resolve("spill")).doesNotExist();
    }

    private static long number(SplittableRandom random) {
        return random.nextInt(3) == 0 ? random.nextInt(-3, 4) : random.nextLong();
    }

    private static List<Pair> all(SortedRows sorted) throws IOException {
        List<Pair> pairs = new ArrayList<>();
        while (sorted.next()) {
            pairs.add(new Pair(sorted.first(), sorted.second()));
        }
        return pairs;
    }

    @Test
    void nothingIsSortedIntoNothing() throws IOException {
        try (ExternalSort sort = ExternalSort.ofPairs(temp.resolve("spill"), 10)) {
            assertThat(sort.sorted().next()).isFalse();
        }
    }
}
