package io.cutwater.trainer.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentRowsTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 50, 1500})
    void itKeepsTheRowsReadLast(int capacity) {
        RecentRows rows = new RecentRows(capacity);
        Map<Long, Boolean> slow = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
                return size() > capacity;
            }
        };
        SplittableRandom random = new SplittableRandom(capacity);
        int hits = 0;
        for (int i = 0; i < 20_000; i++) {
            long vertex = random.nextInt(40) * (long) random.nextInt(60);
            boolean isKnown = slow.put(vertex, true) != null;
            assertThat(rows.read(vertex)).isEqualTo(isKnown);
            hits += isKnown ? 1 : 0;
        }
        assertThat(hits > 0).isEqualTo(capacity > 0);
    }
}
