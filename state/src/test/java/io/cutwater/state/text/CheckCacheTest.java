package io.cutwater.state.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class CheckCacheTest {
    /** Against lists of the newest four ids of each set; a second hash of 0 is one like the others. */
    @Test
    void aSetHasTheNewestFourIdsWithTheirLastHashes() {
        SplittableRandom random = new SplittableRandom(7);
        CheckCache cache = new CheckCache(4);
        Map<Long, Deque<long[]>> sets =
                Map.of(0L, new ArrayDeque<>(), 1L, new ArrayDeque<>(), 2L, new ArrayDeque<>(), 3L, new ArrayDeque<>());
        long[] ids = random.longs(40).toArray();
        for (int step = 0; step < 10_000; step++) {
            long id = ids[random.nextInt(ids.length)];
            long check = random.nextInt(5) * 0x1234_5678_9ABCL;
            Deque<long[]> set = sets.get(id & 3);
            assertThat(cache.has(id, check))
                    .isEqualTo(set.stream().anyMatch(entry -> entry[0] == id && entry[1] == check));
            if (random.nextBoolean()) {
                cache.put(id, check);
                set.removeIf(entry -> entry[0] == id);
                set.addFirst(new long[] {id, check});
                if (set.size() > 4) {
                    set.removeLast();
                }
            } else if (random.nextInt(4) == 0) {
                cache.remove(id);
                set.removeIf(entry -> entry[0] == id);
            }
        }
    }

    @Test
    void anEmptyPlaceIsNoText() {
        CheckCache cache = new CheckCache(4);
        assertThat(cache.has(0, 0)).isFalse();
        cache.put(0, 0);
        assertThat(cache.has(0, 0)).isTrue();
        cache.remove(0);
        assertThat(cache.has(0, 0)).isFalse();
    }

    @Test
    void eachOfTheBitsThatItKeepsTellsTextsApart() {
        CheckCache cache = new CheckCache(4);
        cache.put(-5, 77);
        for (int bit = 0; bit < 48; bit++) {
            assertThat(cache.has(-5, 77 ^ 1L << bit)).as("bit %d", bit).isFalse();
        }
        for (int bit = 48; bit < 64; bit++) {
            assertThat(cache.has(-5 ^ 1L << bit, 77)).as("bit %d", bit).isFalse();
        }
    }
}
