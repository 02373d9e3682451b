package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LongHeapTest {
    @Test
    void givesWhatAPriorityQueueGives() {
        SplittableRandom random = new SplittableRandom(5);
        LongHeap heap = new LongHeap();
        PriorityQueue<Long> expected = new PriorityQueue<>();
        for (int i = 0; i < 10_000; i++) {
            if (expected.isEmpty() || random.nextInt(i < 5_000 ? 3 : 2) > 0) {
                long value = random.nextLong(-50, 50);
                heap.add(value);
                expected.add(value);
            } else {
                assertThat(heap.remove()).isEqualTo(expected.remove());
            }
        }
        while (!expected.isEmpty()) {
            assertThat(heap.remove()).isEqualTo(expected.remove());
        }
        assertThat(heap.isEmpty()).isTrue();
    }
}
