package io.cutwater.flink.operator.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.junit.jupiter.api.Test;

/** Edges that wait in the window of an assigner, and the limit to their waiting. */
final class AssignerWaitLimitTest {
    @Test
    void aWaitingEdgeIsInTheCheckpointOnly() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = AssignerHarness.open(options(0), null)) {
            EdgeBatch batch = new EdgeBatch();
            batch.add(1, 2, 0.5, 77);
            batch.add(3, 4);
            harness.processElement(new StreamRecord<>(batch));
            harness.prepareSnapshotPreBarrier(1);
            snapshot = harness.snapshot(1, 1);
            assertThat(harness.getOutput()).isEmpty();
        }
        try (var harness = AssignerHarness.open(options(0), snapshot)) {
            harness.endInput();
            assertThat(harness.shards().values()).containsExactlyInAnyOrder(List.of("1 2"), List.of("3 4"));
            ShardBatch first =
                    (ShardBatch) ((StreamRecord<?>) harness.getOutput().peek()).getValue();
            assertThat(first.edges().weight(0)).isEqualTo(0.5);
            assertThat(first.edges().timestamp(0)).isEqualTo(77);
        }
    }

    @Test
    void anEdgeWaitsForHalfOfTheLimitToAllOfIt() throws Exception {
        try (var harness = AssignerHarness.open(options(1000), null)) {
            harness.setProcessingTime(10);
            harness.processElement(new StreamRecord<>(edge(1, 2)));
            harness.setProcessingTime(400);
            harness.processElement(new StreamRecord<>(edge(3, 4)));
            harness.setProcessingTime(510);
            harness.prepareSnapshotPreBarrier(1);
            assertThat(harness.shards().values()).containsExactly(List.of("1 2"));
            harness.setProcessingTime(1009);
            harness.prepareSnapshotPreBarrier(2);
            assertThat(harness.shards()).hasSize(1);
            harness.setProcessingTime(1010);
            harness.prepareSnapshotPreBarrier(3);
            assertThat(harness.shards().values()).containsExactlyInAnyOrder(List.of("1 2"), List.of("3 4"));
            assertThat(harness.quality().edges()).isEqualTo(2);
        }
    }

    @Test
    void theWaitLimitAlsoHoldsAfterARestore() throws Exception {
        OperatorSubtaskState snapshot;
        AssignOptions options = options(1000);
        try (var harness = AssignerHarness.open(options, null)) {
            harness.processElement(new StreamRecord<>(edge(1, 2)));
            harness.prepareSnapshotPreBarrier(1);
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = AssignerHarness.open(options, snapshot)) {
            harness.setProcessingTime(500);
            harness.prepareSnapshotPreBarrier(2);
            assertThat(harness.shards().values()).containsExactly(List.of("1 2"));
        }
    }

    /** @param limitMillis wait limit; 0 for none */
    private static AssignOptions options(long limitMillis) {
        return new AssignOptions(
                PartitionerOptions.ofEdges("cutwater", 7, 5, PassMode.LIVE, Map.of("window", "40")),
                1,
                true,
                Duration.ofSeconds(1),
                Duration.ofMillis(limitMillis),
                false);
    }

    private static EdgeBatch edge(long source, long target) {
        EdgeBatch batch = new EdgeBatch();
        batch.add(source, target);
        return batch;
    }
}
