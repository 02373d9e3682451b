package io.cutwater.kafka.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.graph.EdgeBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EdgeMultisetTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void countsAsAMapDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeMultiset counts = new EdgeMultiset();
        Map<String, Integer> expected = new HashMap<>();
        EdgeBatch edge = new EdgeBatch(1);
        long copies = 0;
        for (int step = 0; step < 60_000; step++) {
            edge.clear();
            // Weights, timestamps and places come late, so that their columns are made for rows that are there.
            boolean isPlain = step < 5_000 || random.nextInt(3) == 0;
            edge.add(
                    random.nextInt(60) - 30,
                    random.nextLong() >> 59,
                    isPlain || seed == 2 ? Double.NaN : random.nextInt(3) - 1.0,
                    isPlain || seed == 3 ? EdgeBatch.NO_TIMESTAMP : random.nextInt(3));
            if (seed != 4) {
                edge.setPlace(0, isPlain ? EdgeBatch.NO_PLACE : random.nextInt(3));
            }
            int by = random.nextInt(5) - (step / 10_000 % 2 == 0 ? 1 : 3);
            copies += by;
            String text = text(edge, 0);
            int count = expected.merge(text, by, Integer::sum);
            assertThat(counts.change(edge, 0, by)).isEqualTo(count);
            assertThat(counts.count(edge, 0)).isEqualTo(count);
        }
        expected.values().removeIf(count -> count == 0);
        assertThat(counts.distinct()).isEqualTo(expected.size());
        assertThat(counts.copies()).isEqualTo(copies);
        assertThat(counts.missing())
                .isEqualTo(-expected.values().stream()
                        .mapToInt(c -> Math.min(0, c))
                        .sum());
    }

    @Test
    void givesEqualContentsInOneOrderWhateverWentBefore() {
        EdgeBatch edges = new EdgeBatch();
        edges.add(2, 1);
        edges.add(-1, 5, Double.NaN, 7);
        edges.add(-1, 5, 2.5, 3);
        edges.add(-1, 5, Double.NaN, 3);
        edges.add(2, 1);
        EdgeMultiset one = new EdgeMultiset();
        one.add(edges);
        EdgeMultiset other = new EdgeMultiset();
        for (int i = edges.size() - 1; i >= 0; i--) {
            other.change(edges, i, 2);
            other.change(edges, i, -1);
        }
        assertThat(rows(one))
                .containsExactly(
                        "-1 5 2.5 3",
                        "-1 5 NaN 3",
                        "-1 5 NaN 7",
                        "2 1 NaN -9223372036854775808",
                        "2 1 NaN -9223372036854775808")
                .isEqualTo(rows(other));
        other.addAll(one, -1);
        assertThat(other.isEmpty()).isTrue();
        assertThat(other.copies()).isZero();
    }

    @Test
    void doesNotGiveWhatWentMoreOftenThanItCame() {
        EdgeBatch edge = new EdgeBatch(1);
        edge.add(1, 2);
        EdgeMultiset counts = new EdgeMultiset();
        counts.change(edge, 0, -2);
        assertThat(counts.example()).isEqualTo("edge (1, 2), counted -2 times");
        assertThatThrownBy(() -> counts.forEach(batch -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("edge (1, 2) was removed more often than it was added");
    }

    private static List<String> rows(EdgeMultiset counts) {
        List<String> rows = new ArrayList<>();
        counts.forEach(batch -> {
            for (int i = 0; i < batch.size(); i++) {
                rows.add(batch.source(i) + " " + batch.target(i) + " " + batch.weight(i) + " " + batch.timestamp(i));
            }
        });
        return rows;
    }

    private static String text(EdgeBatch edges, int i) {
        return edges.source(i) + " " + edges.target(i) + " " + edges.weight(i) + " " + edges.timestamp(i) + " "
                + edges.place(i);
    }
}
