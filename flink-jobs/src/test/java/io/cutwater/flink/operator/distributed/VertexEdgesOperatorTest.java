package io.cutwater.flink.operator.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.operator.EdgeBatchHarness;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class VertexEdgesOperatorTest {
    private static final int BUCKETS = EdgeBatchHarness.BUCKETS;
    private static final long LOOP = 77;
    private static final OperatorSubtaskState OF_ONE_TASK = EdgeBatchHarness.OF_OTHERS;

    private static EdgeBatchHarness open(@Nullable OperatorSubtaskState restored) throws Exception {
        return open(restored, questions -> {
            throw new IllegalStateException("it has its own state");
        });
    }

    private static EdgeBatchHarness open(@Nullable OperatorSubtaskState restored, AnsweringLoop.Tables tables)
            throws Exception {
        return EdgeBatchHarness.open(new VertexEdgesOperator(new AnsweringLoop(LOOP, tables)), restored);
    }

    /** Rows such as {@code +1 2}, {@code -1 2} and {@code x7}, the removal of a vertex. */
    private static EdgeBatch rows(String... rows) {
        EdgeBatch batch = new EdgeBatch();
        for (String row : rows) {
            String[] ends = row.substring(1).split(" ", -1);
            batch.add(Long.parseLong(ends[0]), Long.parseLong(ends[ends.length - 1]));
            int i = batch.size() - 1;
            if (row.startsWith("x")) {
                batch.setVertexRemoval(i);
            } else if (row.startsWith("-")) {
                batch.setRemoval(i);
            }
        }
        return batch;
    }

    @Test
    void theEdgesOfAVertexAreRemovedBeforeItCopyByCopyAlsoAfterARestart() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = open(null)) {
            assertThat(harness.outputs(rows("+1 2", "+1 2", "+3 1", "+1 1", "+2 3", "+5 1", "-5 1")))
                    .hasSize(7);
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = open(snapshot)) {
            EdgeBatch batch = rows("+4 1", "x1", "+1 9");
            batch.reject(new RejectedRecord("no edge", "f", -1, 3, null, new byte[0]));
            List<String> outputs = harness.outputs(batch);
            assertThat(outputs).startsWith("+4 1").endsWith("x1 known", "+1 9", "no edge");
            assertThat(outputs.subList(1, 6)).containsExactlyInAnyOrder("-1 2", "-1 2", "-3 1", "-1 1", "-4 1");
            assertThat(outputs).hasSize(9);
            snapshot = harness.snapshot(2, 2);
        }
        try (var harness = open(snapshot)) {
            assertThat(harness.outputs(rows("x1", "x1", "x2")))
                    .containsExactly("-1 9", "x1 known", "x1", "-2 3", "x2 known");
        }
    }

    /** The edges that it has removed do not come. */
    @Test
    void theRemovalOfAVertexInAHistoryIsPassedOn() throws Exception {
        try (var harness = open(null)) {
            EdgeBatch batch = rows("+1 2", "x2", "+2 3");
            for (int i = 0; i < batch.size(); i++) {
                batch.setPlace(i, i == 1 ? EdgeBatch.TAKEN_AWAY : 0);
            }
            assertThat(harness.outputs(batch)).containsExactly("+1 2", "x2 known", "+2 3");
        }
    }

    @Test
    void theEdgesOfAHubAreRemovedInBatches() throws Exception {
        try (var harness = open(null)) {
            EdgeBatch many = new EdgeBatch();
            int edges = 70_000;
            for (int i = 1; i <= edges; i++) {
                many.add(0, i);
            }
            harness.outputs(many);
            harness.processElement(new StreamRecord<>(rows("x0")));
            assertThat(harness.getOutput()).hasSize((edges + (1 << 12) - 1) / (1 << 12) + 2);
            assertThat(harness.outputs(rows("x0"))).hasSize(edges + 2).endsWith("x0 known", "x0");
        }
    }

    /** A message of the first or the second half of the buckets. */
    private static VertexUpdate ends(long run, int table, long part, LeftEdges.Kind kind, EdgeBatch edges) {
        LeftEdges.Header header = new LeftEdges.Header(kind, table * BUCKETS / 2, BUCKETS / 2);
        return VertexUpdate.ends(run, table, part, header.toLong(), edges);
    }

    private static EdgeBatch withKey(long key, String row) {
        EdgeBatch rows = rows(row);
        rows.setKey(0, key);
        return rows;
    }

    @Test
    void asksEachTableForTheEdgesOfOneTaskUntilItAnswersAndTakesThoseOfItsBufferLast() throws Exception {
        List<Integer> asked = new ArrayList<>();
        OperatorSubtaskState snapshot;
        EdgeBatch none = new EdgeBatch(1);
        try (var harness = open(OF_ONE_TASK, questions -> {
            if (questions.isEmpty()) {
                return List.of();
            }
            asked.add(questions.size());
            long run = questions.get(0).run();
            assertThat(questions).allMatch(one -> one.asksForEnds() && one.loop() == LOOP && one.run() == run);
            return switch (asked.size()) {
                case 1 -> List.of(ends(run + 1, 0, 0, LeftEdges.Kind.END, rows("+8 8")));
                case 2 ->
                    List.of(
                            ends(run, 1, 0, LeftEdges.Kind.BUFFERED, withKey(5, "+1 2")),
                            ends(run, 1, 1, LeftEdges.Kind.END, none));
                default ->
                    List.of(
                            ends(run, 0, 0, LeftEdges.Kind.KEPT, withKey(4, "+1 2")),
                            ends(run, 0, 1, LeftEdges.Kind.KEPT, rows("+3 1", "+3 1")),
                            ends(run, 0, 2, LeftEdges.Kind.END, none));
            };
        })) {
            assertThat(asked).containsExactly(BUCKETS, BUCKETS, BUCKETS / 2);
            assertThat(harness.outputs(rows("-1 2"))).containsExactly("-1 2"); // the oldest copy
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = open(snapshot)) {
            assertThat(harness.outputs(rows("x8", "x1")))
                    .startsWith("x8")
                    .endsWith("x1 known")
                    .containsExactlyInAnyOrder("x8", "-1 2", "-3 1", "-3 1", "x1 known");
        }
        try (var harness = open(snapshot)) {
            assertThat(harness.batches(rows("x2")).get(0).key(0)).isEqualTo(5);
        }
    }

    @Test
    void aLostMessageOfATableEndsTheAttempt() {
        assertThatThrownBy(() -> open(
                        OF_ONE_TASK,
                        questions -> List.of(ends(questions.get(0).run(), 1, 1, LeftEdges.Kind.END, new EdgeBatch(1)))))
                .hasMessageContaining("a message with edges of table 1 was lost");
    }

    @Test
    void aJobThatBeganWithoutRemovalsOfVerticesIsRefused() {
        assertThatThrownBy(() -> open(
                        OF_ONE_TASK,
                        questions ->
                                List.of(ends(questions.get(0).run(), 0, 0, LeftEdges.Kind.NONE, new EdgeBatch(1)))))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .rootCause()
                .hasMessageContaining("the job began without --remove-vertices");
    }
}
