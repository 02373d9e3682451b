package io.cutwater.flink.operator.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The operator with edges that come and go, on RocksDB state and with a cache of sixteen vertices. */
final class RemovalsTest {
    private static final int K = 5;
    private static final long SMALLEST_CACHE = 1;

    static Stream<AssignOptions> jobs() {
        return Stream.of(
                job(PartitioningKind.EDGE, "hdrf", Map.of()),
                job(PartitioningKind.EDGE, "hash", Map.of()),
                job(PartitioningKind.EDGE, "cutwater", Map.of("window", "20")),
                job(PartitioningKind.VERTEX, "hash", Map.of()),
                job(PartitioningKind.VERTEX, "ldg", Map.of("window", "20")),
                job(PartitioningKind.VERTEX, "cutwater", Map.of("window", "20")));
    }

    private static AssignOptions job(PartitioningKind kind, String algorithm, Map<String, String> settings) {
        PartitionerOptions partitioner = new PartitionerOptions(kind, algorithm, K, 5, PassMode.LIVE, settings);
        return new AssignOptions(partitioner, SMALLEST_CACHE, true, Duration.ofSeconds(1), Duration.ofHours(1), true);
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void everyRemovalHasADefinedResultAlsoWithRestores(AssignOptions options) throws Exception {
        List<EdgeBatch> steps = List.of(
                rows("+1 2", "+1 2", "+2 3"),
                rows("-1 2"),
                rows("-9 9"), // unknown
                rows("-1 2", "-1 2"), // the second time there is none left
                rows("+1 2"),
                rows("-3 4", "+3 4"), // before it came: it stays
                rows("+5 6", "-5 6"),
                rows("+7 7", "+7 8", "-7 7", "-2 3"));
        Outcome outcome = new Outcome(K);
        OperatorSubtaskState snapshot = null;
        for (EdgeBatch step : steps) {
            try (AssignerHarness harness = AssignerHarness.open(options, snapshot)) {
                feed(harness, List.of(step));
                snapshot = snapshot(harness, outcome);
                // What comes after the barrier is lost with the attempt.
                feed(harness, List.of(rows("+1 2", "-7 8", "+8 9")));
            }
        }
        try (AssignerHarness harness = AssignerHarness.open(options, snapshot)) {
            end(harness, outcome);
        }
        assertThat(outcome.shards.graph()).isEqualTo(new TreeMap<>(Map.of("1 2", 1, "3 4", 1, "7 8", 1)));
        assertThat(outcome.quality.unknownRemovals()).isEqualTo(3);
        assertConsistent(outcome, options);
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void aRandomHistoryLeavesItsNetGraphInShardsBookAndQuality(AssignOptions options) throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Integer> graph = new TreeMap<>();
        long unknown = 0;
        Outcome outcome = new Outcome(K);
        OperatorSubtaskState snapshot = null;
        for (int life = 0; life < 4; life++) {
            try (AssignerHarness harness = AssignerHarness.open(options, snapshot)) {
                for (int b = 0; b < 10; b++) {
                    EdgeBatch batch = new EdgeBatch();
                    for (int i = 0; i < 40; i++) {
                        long source = random.nextInt(12) - 3;
                        long target = random.nextInt(30);
                        batch.add(source, target, life + b + i, EdgeBatch.NO_TIMESTAMP);
                        String edge = source + " " + target;
                        if (random.nextInt(9) < 4) {
                            batch.setRemoval(i);
                            unknown += graph.containsKey(edge) ? 0 : 1;
                            graph.computeIfPresent(edge, (e, copies) -> copies == 1 ? null : copies - 1);
                        } else {
                            graph.merge(edge, 1, Integer::sum);
                        }
                    }
                    feed(harness, List.of(batch));
                }
                if (life == 3) {
                    end(harness, outcome);
                } else {
                    snapshot = snapshot(harness, outcome);
                }
            }
        }
        assertThat(outcome.shards.graph()).as("seed %d", seed).isEqualTo(graph);
        assertThat(outcome.quality.unknownRemovals()).as("seed %d", seed).isEqualTo(unknown);
        assertConsistent(outcome, options);
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void nothingIsLeftWhenEveryEdgeIsRemoved(AssignOptions options) throws Exception {
        Outcome outcome = new Outcome(K);
        try (AssignerHarness harness = AssignerHarness.open(options, null)) {
            EdgeBatch come = new EdgeBatch();
            EdgeBatch go = new EdgeBatch();
            SplittableRandom random = new SplittableRandom(7);
            for (int i = 0; i < 300; i++) {
                long source = random.nextInt(40);
                long target = random.nextInt(40);
                come.add(source, target);
                go.add(source, target);
                go.setRemoval(i);
            }
            feed(harness, List.of(come));
            snapshot(harness, outcome);
            assertThat(harness.entries()).isPositive();
            assertThat(outcome.shards.isEmpty()).isFalse();
            feed(harness, List.of(go));
            snapshot(harness, outcome);
            assertThat(harness.entries()).isZero();
            end(harness, outcome);
        }
        assertThat(outcome.shards.isEmpty()).isTrue();
        assertThat(outcome.book).isEmpty();
        assertThat(outcome.finalBook).isEmpty();
        assertConsistent(outcome, options);
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void refusesACheckpointThatDiffersInKeptEdges(AssignOptions options) throws Exception {
        AssignOptions without = new AssignOptions(
                options.partitioner(),
                options.cacheBytes(),
                options.publishesBook(),
                options.reportsEvery(),
                options.waitLimit(),
                false);
        OperatorSubtaskState snapshot;
        try (AssignerHarness harness = AssignerHarness.open(options, null)) {
            snapshot = snapshot(harness, new Outcome(K));
        }
        assertThatThrownBy(() -> AssignerHarness.open(without, snapshot))
                .isInstanceOf(SuppressRestartsException.class)
                .hasStackTraceContaining("keeps edges; resume it with --keep-edges");
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void acceptsCopiesOfKeptEdgesAfterARestore(AssignOptions options) throws Exception {
        Outcome outcome = new Outcome(K);
        OperatorSubtaskState snapshot;
        EdgeBatch twice = new EdgeBatch();
        EdgeBatch once = new EdgeBatch();
        for (int i = 0; i < 200; i++) {
            twice.add(i % 40, 100 + i % 30);
            once.add(i % 40, 100 + i % 30);
            once.setRemoval(i);
        }
        try (AssignerHarness harness = AssignerHarness.open(options, null)) {
            feed(harness, List.of(twice));
            snapshot = snapshot(harness, outcome);
        }
        try (AssignerHarness harness = AssignerHarness.open(options, snapshot)) {
            feed(harness, List.of(twice));
            feed(harness, List.of(once, twice, once));
            snapshot(harness, outcome);
            assertThat(outcome.shards.graph().values().stream()
                            .mapToInt(copies -> copies)
                            .sum())
                    .as("200 edges, of which up to 20 wait")
                    .isBetween(180, 200);
            feed(harness, List.of(once));
            snapshot(harness, outcome);
            assertThat(harness.entries()).isZero();
        }
        assertThat(outcome.shards.isEmpty()).isTrue();
    }

    private static void assertConsistent(Outcome outcome, AssignOptions options) {
        boolean isOfVertices = options.kind() == PartitioningKind.VERTEX;
        assertThat(outcome.quality.quality()).isEqualTo(outcome.shards.quality(isOfVertices));
        assertThat(outcome.book).isEqualTo(outcome.shards.replicas());
        assertThat(outcome.degrees).isEqualTo(outcome.shards.degrees());
        assertThat(outcome.finalBook).isEqualTo(outcome.shards.degrees());
        if (isOfVertices) {
            assertThat(outcome.masters).isEqualTo(outcome.shards.owners());
        } else {
            outcome.masters.forEach((vertex, master) ->
                    assertThat(outcome.shards.replicas().get(vertex)).contains(master));
        }
    }

    private static void feed(AssignerHarness harness, List<EdgeBatch> batches) throws Exception {
        for (EdgeBatch batch : batches) {
            harness.processElement(new StreamRecord<>(batch));
        }
    }

    private static OperatorSubtaskState snapshot(AssignerHarness harness, Outcome outcome) throws Exception {
        harness.prepareSnapshotPreBarrier(1);
        OperatorSubtaskState snapshot = harness.snapshot(1, 1);
        outcome.takeFrom(harness);
        assertThat(outcome.degrees).as("degrees at a commit").isEqualTo(outcome.shards.degrees());
        return snapshot;
    }

    private static void end(AssignerHarness harness, Outcome outcome) throws Exception {
        harness.endInput();
        outcome.takeFrom(harness);
    }

    /** Parses rows such as "+1 2", an added edge, and "-1 2", a removed one. */
    private static EdgeBatch rows(String... rows) {
        EdgeBatch batch = new EdgeBatch();
        for (String row : rows) {
            String[] ends = row.substring(1).split(" ", -1);
            batch.add(Long.parseLong(ends[0]), Long.parseLong(ends[1]));
            if (row.startsWith("-")) {
                batch.setRemoval(batch.size() - 1);
            }
        }
        return batch;
    }
}
