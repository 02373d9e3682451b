package io.cutwater.trainer.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EdgeDeltasTest {
    /** Every third edge has a colliding hash. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void addsUpWhatCameAndWent(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeDeltas net = new EdgeDeltas(8);
        Map<String, Integer> expected = new TreeMap<>();
        for (int row = 0; row < 2000; row++) {
            int source = random.nextInt(12);
            int target = random.nextInt(12);
            int count = random.nextBoolean() ? 1 : -1;
            net.add(source % 3 == 0 ? 7 : 1000L * source + target, source, target, source, count);
            expected.merge(source + " " + target, count, Integer::sum);
        }
        expected.values().removeIf(count -> count == 0);
        Map<String, Integer> found = new TreeMap<>();
        net.drain((source, target, place, count) -> {
            assertThat(place).isEqualTo((int) source);
            assertThat(found.put(source + " " + target, count)).isNull();
        });
        assertThat(found).isEqualTo(expected);
        net.drain((source, target, place, count) -> {
            throw new AssertionError("it is empty");
        });
    }

    @Test
    void theOrderDoesNotDependOnThatInWhichEdgesCame() throws IOException {
        assertThat(drained(1, 2, 3)).isEqualTo(drained(3, 1, 2)).isEqualTo(drained(2, 2, 3, 1));
    }

    private static List<Long> drained(long... sources) throws IOException {
        EdgeDeltas net = new EdgeDeltas(2);
        for (long source : sources) {
            net.add(5, source, 0, EdgeBatch.NO_PLACE, 1);
        }
        List<Long> order = new ArrayList<>();
        net.drain((source, target, place, count) -> order.add(source));
        return order;
    }
}
