package io.cutwater.state.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class CheckCacheTest {
    /** Against lists of the newest four ids of each set; id 0 is one like the others. */
    @Test
    void aSetHasTheNewestFourIdsWithTheirLastHashes() {
        SplittableRandom random = new SplittableRandom(7);
        CheckCache cache = new CheckCache(4);
        Map<Long, Deque<long[]>> sets =
                Map.of(0L, new ArrayDeque<>(), 1L, new ArrayDeque<>(), 2L, new ArrayDeque<>(), 3L, new ArrayDeque<>());
        for (int step = 0; step < 10_000; step++) {
            long id = random.nextInt(40) - 20;
            Deque<long[]> set = sets.get(id & 3);
            long expected = set.stream()
                    .filter(entry -> entry[0] == id)
                    .mapToLong(entry -> entry[1])
                    .findFirst()
                    .orElse(CheckCache.UNKNOWN);
            assertThat(cache.check(id)).isEqualTo(expected);
            if (random.nextBoolean()) {
                long check = 1 + random.nextInt(5);
                cache.put(id, check);
                set.removeIf(entry -> entry[0] == id);
                set.addFirst(new long[] {id, check});
                if (set.size() > 4) {
                    set.removeLast();
                }
            } else if (random.nextInt(4) == 0) {
                cache.remove(id);
                set.stream().filter(entry -> entry[0] == id).forEach(entry -> entry[1] = CheckCache.UNKNOWN);
            }
        }
    }
}
