package io.cutwater.trainer.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShapeSampleTest {
    @Test
    void theLastDataOfEachCopyCount() {
        ShapeSample sample = new ShapeSample();
        for (int vertex = 0; vertex < 100; vertex++) {
            sample.put(0, vertex, 8, 1);
            sample.put(1, vertex, 8, 1);
        }
        for (int vertex = 0; vertex < 100; vertex++) {
            sample.put(0, vertex, 9, 2);
        }
        sample.gone(1, 7);
        assertThat(sample.count(8)).isEqualTo(99);
        assertThat(sample.count(9)).isEqualTo(100);
        assertThat(sample.commonWidth()).isEqualTo(9);
    }

    @Test
    void aSampleOfManyVerticesStaysSmallAndHasTheSameShares() {
        ShapeSample sample = new ShapeSample(1_000);
        for (int vertex = 0; vertex < 20_000; vertex++) {
            sample.put(0, vertex, vertex % 4 == 0 ? 3 : 5, 0);
        }
        Map<Integer, Integer> counts = new HashMap<>();
        sample.forEach((vertex, width, label) -> {
            assertThat(width).isEqualTo(vertex % 4 == 0 ? 3 : 5);
            counts.merge(width, 1, Integer::sum);
        });
        int all = counts.get(3) + counts.get(5);
        assertThat(all).isBetween(400, 1_000);
        assertThat(counts.get(3)).isBetween(all / 5, all * 3 / 10);
        assertThat(sample.commonWidth()).isEqualTo(5);
    }
}
