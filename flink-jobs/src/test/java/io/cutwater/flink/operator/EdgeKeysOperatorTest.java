package io.cutwater.flink.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class EdgeKeysOperatorTest {
    private static final int KEYS = 10_000;

    private static EdgeBatchHarness open(@Nullable OperatorSubtaskState restored) throws Exception {
        return EdgeBatchHarness.open(new EdgeKeysOperator(true), restored);
    }

    private static EdgeBatch row(long key, long source, long target) {
        EdgeBatch batch = new EdgeBatch();
        batch.add(source, target);
        batch.setKey(0, key);
        return batch;
    }

    @Test
    void theEdgesOfKeysSurviveARestart() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = open(null)) {
            assertThat(harness.outputs(row(7, 1, 2))).containsExactly("+1 2");
            snapshot = harness.snapshot(1, 1);
            // What comes after the barrier is lost with the attempt.
            assertThat(harness.outputs(row(7, 1, 9))).containsExactly("-1 2", "+1 9");
        }
        try (var harness = open(snapshot)) {
            assertThat(harness.outputs(row(7, 1, 2))).isEmpty();
            EdgeBatch next = row(7, 3, 4);
            next.reject(new RejectedRecord("no edge", "f", -1, 3, null, new byte[0]));
            assertThat(harness.outputs(next)).containsExactly("-1 2", "+3 4", "no edge");
        }
    }

    @Test
    void aRemovalOfAllTakesAwayTheEdgesThatCameBeforeIt() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = open(null)) {
            EdgeBatch many = new EdgeBatch();
            for (int i = 0; i < KEYS; i++) {
                many.add(i, i + 1);
                many.setKey(i, i);
            }
            assertThat(harness.outputs(many)).hasSize(KEYS);
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = open(snapshot)) {
            EdgeBatch rows = row(KEYS, -5, -6);
            rows.add(0, 0);
            rows.setRemovalOfAll(1);
            rows.setKey(1, 0);
            rows.add(7, 8);
            rows.setKey(2, 3);
            List<String> outputs = harness.outputs(rows);
            assertThat(outputs)
                    .hasSize(KEYS + 3)
                    .startsWith("+-5 -6")
                    .endsWith("+7 8")
                    .contains("--5 -6", "-3 4");
            assertThat(outputs)
                    .filteredOn(output -> output.startsWith("-"))
                    .hasSize(KEYS + 1)
                    .doesNotHaveDuplicates();
            assertThat(harness.outputs(row(3, 7, 8))).isEmpty();
            assertThat(harness.outputs(row(4, 4, 5))).containsExactly("+4 5");
        }
    }

    @Test
    void aRemovedVertexTakesItsKeysAlsoAfterARestart() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = open(null)) {
            EdgeBatch rows = row(7, 1, 2);
            rows.add(2, 3);
            rows.setKey(1, 8);
            rows.add(3, 4);
            rows.setKey(2, 9);
            assertThat(harness.outputs(rows)).hasSize(3);
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = open(snapshot)) {
            EdgeBatch rows = row(10, 2, 5);
            rows.add(2, 2);
            rows.setVertexRemoval(1);
            rows.add(2, 3);
            rows.setKey(2, 8);
            assertThat(harness.outputs(rows)).containsExactly("+2 5", "x2", "+2 3");
            snapshot = harness.snapshot(2, 2);
        }
        try (var harness = open(snapshot)) {
            assertThat(harness.outputs(row(7, 6, 7))).containsExactly("+6 7");
            assertThat(harness.outputs(row(10, 2, 5))).containsExactly("+2 5");
            assertThat(harness.outputs(row(9, 3, 4))).isEmpty();
        }
    }

    @Test
    void aJobThatBeganWithoutKeysIsRefused() {
        assertThatThrownBy(() -> open(EdgeBatchHarness.OF_OTHERS))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .rootCause()
                .hasMessageContaining("the job began without --edge-key");
    }
}
