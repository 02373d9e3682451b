package io.cutwater.flink.operator.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UnconfirmedAgeTest {
    private static final int BUCKETS = 3;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void isThatOfTheOldestOfAllQueues(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        UnconfirmedAge age = new UnconfirmedAge(1, BUCKETS);
        List<Deque<Long>> times = new ArrayList<>();
        long[] sent = new long[BUCKETS];
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            times.add(new ArrayDeque<>());
            sent[bucket] = random.nextLong(1L << 40); // goes on from a checkpoint
        }
        for (long now = 1; now < 2_000; now++) {
            int bucket = random.nextInt(BUCKETS);
            Deque<Long> waiting = times.get(bucket);
            if (random.nextInt(3) > 0) {
                age.sent(bucket, ++sent[bucket], now);
                waiting.add(now);
            } else {
                int left = random.nextInt(waiting.size() + 1);
                age.confirmed(bucket, sent[bucket] - left);
                age.confirmed(bucket, sent[bucket] - left - 1);
                while (waiting.size() > left) {
                    waiting.remove();
                }
            }
            long oldest = times.stream()
                    .filter(queue -> !queue.isEmpty())
                    .mapToLong(Deque::element)
                    .min()
                    .orElse(now);
            assertThat(age.millis(now)).isEqualTo(now - oldest);
        }
    }
}
