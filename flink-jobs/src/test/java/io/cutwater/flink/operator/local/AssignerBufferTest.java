package io.cutwater.flink.operator.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Edges that an assigner places together in buffers. */
final class AssignerBufferTest {
    private static final int BUFFER = 320;
    private static final int BATCHES = 24;

    /** Every second batch is one of these; the others let a checkpoint come in every stage of a buffer. */
    private static final int[] SIZES = {318, 3, 30, 9, 150, 1};

    @ParameterizedTest
    @EnumSource
    void aRestoreInEveryStageOfABufferGivesTheSameShards(PartitioningKind kind) throws Exception {
        List<EdgeBatch> batches = batches();
        List<List<String>> placed = new ArrayList<>(); // between two checkpoints
        List<OperatorSubtaskState> snapshots = new ArrayList<>();
        try (var harness = AssignerHarness.open(options(kind, 2), null)) {
            for (int i = 0; i < BATCHES; i++) {
                placed.add(next(harness, batches.get(i), i, snapshots));
            }
        }
        assertThat(placed.stream().filter(List::isEmpty).count()).isBetween(2L, BATCHES - 4L);
        for (int from = 1; from < BATCHES; from += 3) {
            try (var harness = AssignerHarness.open(options(kind, 2), snapshots.get(from - 1))) {
                for (int i = from; i < Math.min(BATCHES, from + 6); i++) {
                    assertThat(next(harness, batches.get(i), i, new ArrayList<>()))
                            .as("between checkpoints %d and %d, restored from %d", i - 1, i, from - 1)
                            .isEqualTo(placed.get(i));
                }
            }
        }
    }

    /** Takes a batch and a checkpoint; returns what was placed. */
    private static List<String> next(
            AssignerHarness harness, EdgeBatch batch, int number, List<OperatorSubtaskState> snapshots)
            throws Exception {
        harness.processElement(new StreamRecord<>(batch));
        harness.prepareSnapshotPreBarrier(number);
        snapshots.add(harness.snapshot(number, number));
        return drain(harness);
    }

    private static List<String> drain(AssignerHarness harness) {
        List<String> placed = new ArrayList<>();
        for (Object element : harness.getOutput()) {
            ShardBatch shard = (ShardBatch) ((StreamRecord<?>) element).getValue();
            for (int i = 0; i < shard.edges().size(); i++) {
                placed.add(shard.shard() + ": " + shard.edges().source(i) + " "
                        + shard.edges().target(i));
            }
        }
        harness.getOutput().clear();
        return placed;
    }

    @ParameterizedTest
    @EnumSource
    void edgesWaitForAtMostAsManyCheckpointsAsTheLimitHas(PartitioningKind kind) throws Exception {
        try (var harness = AssignerHarness.open(options(kind, 2), null)) {
            EdgeBatch one = new EdgeBatch();
            one.add(1, 2);
            assertThat(next(harness, one, 1, new ArrayList<>())).isEmpty();
            EdgeBatch other = new EdgeBatch();
            other.add(3, 4);
            assertThat(next(harness, other, 2, new ArrayList<>())).isEmpty(); // it cuts off the first edge
            harness.setProcessingTime(5); // no edge comes
            harness.prepareSnapshotPreBarrier(3);
            assertThat(drain(harness)).isNotEmpty().allMatch(edge -> edge.endsWith(": 1 2")); // in one or two shards
            harness.snapshot(3, 3);
            harness.setProcessingTime(10);
            harness.prepareSnapshotPreBarrier(4);
            assertThat(drain(harness)).isNotEmpty().allMatch(edge -> edge.endsWith(": 3 4")); // in one or two shards
        }
    }

    @ParameterizedTest
    @EnumSource
    void withACheckpointIntervalAboveTheLimitATimerPlacesTheEdges(PartitioningKind kind) throws Exception {
        AssignOptions options = options(kind, 2).withCheckpoints(Duration.ofSeconds(3));
        try (var harness = AssignerHarness.open(options, null)) {
            EdgeBatch one = new EdgeBatch();
            one.add(1, 2);
            harness.processElement(new StreamRecord<>(one));
            harness.setProcessingTime(1000);
            harness.prepareSnapshotPreBarrier(1);
            assertThat(drain(harness)).isNotEmpty().allMatch(edge -> edge.endsWith(": 1 2")); // in one or two shards
        }
    }

    private static List<EdgeBatch> batches() {
        SyntheticGraph graph = SyntheticGraph.growingCommunities(20, 5);
        List<EdgeBatch> batches = new ArrayList<>();
        for (int i = 0; i < BATCHES; i++) {
            EdgeBatch batch = new EdgeBatch();
            graph.fill(batch, SIZES[i % SIZES.length]);
            batches.add(batch);
        }
        return batches;
    }

    private static AssignOptions options(PartitioningKind kind, int seconds) {
        return new AssignOptions(
                        new PartitionerOptions(
                                kind, "cutwater", 7, 5, PassMode.LIVE, Map.of("buffer", Integer.toString(BUFFER))),
                        1,
                        true,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(seconds),
                        false)
                .withCheckpoints(Duration.ofSeconds(1));
    }
}
