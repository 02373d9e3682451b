package io.cutwater.trainer.linked;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowCacheTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 50, 1500})
    void itKeepsTheRowsReadLast(int capacity) {
        RowCache cache = new RowCache(capacity);
        Map<Long, RemoteRow> slow = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, RemoteRow> eldest) {
                return size() > capacity;
            }
        };
        SplittableRandom random = new SplittableRandom(capacity);
        int hits = 0;
        for (int i = 0; i < 20_000; i++) {
            long vertex = random.nextInt(40) * (long) random.nextInt(60);
            RemoteRow found = cache.find(vertex);
            assertThat(found).isSameAs(slow.get(vertex));
            if (found == null) {
                RemoteRow row = new RemoteRow(RemoteRow.DENSE, new float[] {vertex});
                cache.put(vertex, row);
                slow.put(vertex, row);
            }
            hits += found == null ? 0 : 1;
        }
        assertThat(hits > 0).isEqualTo(capacity > 0);
    }
}
