package io.cutwater.state.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class EdgeRunsTest {
    private final SplittableRandom random = new SplittableRandom(1);

    @Test
    void theOrderOfACrawlIsToldFromARandomOneAndMayChange() {
        EdgeRuns runs = new EdgeRuns();
        runs.observe(edges(4_000, 20));
        assertThat(runs.areFound()).as("too few edges to tell").isFalse();
        runs.observe(edges(1_000, 20));
        assertThat(runs.areFound()).isTrue();
        for (int i = 0; i < 100; i++) {
            runs.observe(edges(4_096, 1));
        }
        assertThat(runs.areFound()).isFalse();
        for (int i = 0; i < 100; i++) {
            runs.observe(edges(4_096, 20));
        }
        assertThat(runs.areFound()).isTrue();
    }

    @Test
    void anyCommonEndCounts() {
        EdgeBatch chain = new EdgeBatch();
        for (int i = 0; i < 5_000; i++) {
            chain.add(i + i % 2, i + 1 - i % 2); // each source is the target before, or the other way round
        }
        EdgeRuns runs = new EdgeRuns();
        runs.observe(chain);
        assertThat(runs.areFound()).isTrue();
    }

    private EdgeBatch edges(int count, int ofSource) {
        EdgeBatch batch = new EdgeBatch();
        long source = 0;
        for (int i = 0; i < count; i++) {
            source = i % ofSource == 0 ? random.nextLong() : source;
            batch.add(source, random.nextLong());
        }
        return batch;
    }
}
