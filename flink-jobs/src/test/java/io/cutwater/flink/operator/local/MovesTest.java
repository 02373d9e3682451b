package io.cutwater.flink.operator.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.types.message.CommandEvent;
import io.cutwater.flink.types.quality.JobQuality;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.placement.ShardChange;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.RepartitionStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The operator with commands, while edges come and go, on RocksDB state and with a cache of sixteen vertices. */
@Timeout(120)
final class MovesTest {
    private static final int K = 3;
    private static final long SMALLEST_CACHE = 1;

    private final SplittableRandom random = new SplittableRandom(17);
    private final Map<String, Integer> graph = new TreeMap<>();
    private final List<ShardBatch> shards = new ArrayList<>();
    private final List<RepartitionStatus> statuses = new ArrayList<>();
    private final Map<Long, List<Integer>> book = new TreeMap<>();
    private long millis;
    private @Nullable JobQuality quality;

    static Stream<AssignOptions> jobs() {
        return Stream.of(
                job(PartitioningKind.EDGE, "sigma-edge", Map.of()),
                job(PartitioningKind.EDGE, "cutwater", Map.of("window", "20")),
                job(PartitioningKind.VERTEX, "cutwater", Map.of("window", "20")));
    }

    static Stream<AssignOptions> otherJobs() {
        return Stream.of(
                job(PartitioningKind.EDGE, "hdrf", Map.of()),
                job(PartitioningKind.EDGE, "hash", Map.of()),
                job(PartitioningKind.VERTEX, "ldg", Map.of("window", "20")));
    }

    private static AssignOptions job(PartitioningKind kind, String algorithm, Map<String, String> settings) {
        PartitionerOptions partitioner = new PartitionerOptions(kind, algorithm, K, 5, PassMode.LIVE, settings);
        return new AssignOptions(partitioner, SMALLEST_CACHE, true, Duration.ofSeconds(1), Duration.ofHours(1), true);
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void growsAndShrinksDuringAdditionsRemovalsAndCrashes(AssignOptions options) throws Exception {
        OperatorSubtaskState state;
        try (AssignerHarness harness = AssignerHarness.open(options, null)) {
            for (int i = 0; i < 40; i++) {
                stream(harness);
            }
            state = checkpoint(harness, options);
        }
        state = repartition(options, state, new JobCommand.Repartition("grow", 5, 1, Long.MAX_VALUE, false));
        assertThat(last().state()).isEqualTo(PlanState.DONE);
        assertThat(last().edgesMoved()).isPositive();
        state = repartition(options, state, new JobCommand.Repartition("shrink", 2, 1, Long.MAX_VALUE, false));
        assertThat(last().state()).isEqualTo(PlanState.DONE);
        assertThat(last().generation()).isEqualTo(2);
        try (AssignerHarness harness = AssignerHarness.open(options, state)) {
            stream(harness);
            harness.endInput();
            take(harness);
        }
        NetShards net = net(2);
        assertSameGraph(net);
        assertThat(quality.quality()).isEqualTo(net.quality(options.kind() == PartitioningKind.VERTEX));
        assertThat(book).isEqualTo(net.replicas());
    }

    @Tag("campaign")
    @ParameterizedTest
    @MethodSource("otherJobs")
    void othersGrowAndShrinkToo(AssignOptions options) throws Exception {
        growsAndShrinksDuringAdditionsRemovalsAndCrashes(options);
    }

    /** Feeds edges between the turns, and goes on in another task now and then. */
    private OperatorSubtaskState repartition(
            AssignOptions options, OperatorSubtaskState restored, JobCommand.Repartition command) throws Exception {
        OperatorSubtaskState state = restored;
        // Each life is a little longer, until one sees the end.
        for (int life = 0; life < 60; life++) {
            try (AssignerHarness harness = AssignerHarness.open(options, state)) {
                if (life == 0) {
                    harness.command(new CommandEvent(command, null));
                }
                for (int turn = 0; turn < 12 * life; turn++) {
                    turn(harness);
                    stream(harness);
                }
                state = checkpoint(harness, options);
                // What comes after the barrier is lost with the attempt.
                turn(harness);
            }
            if (isOver(command.id())) {
                return state;
            }
        }
        throw new AssertionError("it does not end: " + last());
    }

    private boolean isOver(String id) {
        return statuses.stream()
                .anyMatch(status -> status.id().equals(id) && status.state().isOver());
    }

    private void turn(AssignerHarness harness) throws Exception {
        millis += 10;
        harness.setProcessingTime(millis);
        LockSupport.parkNanos(1_000_000); // for the thread that plans
    }

    private RepartitionStatus last() {
        return statuses.get(statuses.size() - 1);
    }

    private NetShards net(int partitions) {
        NetShards net = new NetShards(partitions);
        shards.forEach(net::apply);
        return net;
    }

    private void stream(AssignerHarness harness) throws Exception {
        EdgeBatch batch = new EdgeBatch();
        for (int i = 0; i < 20; i++) {
            long source = random.nextInt(30);
            long target = random.nextInt(60);
            batch.add(source, target, i, EdgeBatch.NO_TIMESTAMP);
            String edge = source + " " + target;
            if (random.nextInt(9) < 3) {
                batch.setRemoval(i);
                graph.computeIfPresent(edge, (e, copies) -> copies == 1 ? null : copies - 1);
            } else {
                graph.merge(edge, 1, Integer::sum);
            }
        }
        harness.processElement1(new StreamRecord<>(batch));
    }

    private OperatorSubtaskState checkpoint(AssignerHarness harness, AssignOptions options) throws Exception {
        harness.prepareSnapshotPreBarrier(1);
        OperatorSubtaskState state = harness.snapshot(1, 1);
        take(harness);
        boolean isWaiting =
                options.partitioner().algorithm().equals("cutwater") || options.kind() == PartitioningKind.VERTEX;
        if (!isWaiting) {
            assertSameGraph(net(5));
        }
        return state;
    }

    /** Says only what differs. */
    private void assertSameGraph(NetShards net) {
        Map<String, Integer> differences = new TreeMap<>(graph);
        net.graph().forEach((edge, copies) -> differences.merge(edge, -copies, Integer::sum));
        differences.values().removeIf(copies -> copies == 0);
        assertThat(differences).isEmpty();
    }

    private void take(AssignerHarness harness) {
        for (Object element : harness.getOutput()) {
            shards.add((ShardBatch) ((StreamRecord<?>) element).getValue());
        }
        harness.getOutput().clear();
        statuses.addAll(harness.drain(AssignerOperator.PLANS));
        for (VertexBatch rows : harness.drain(AssignerOperator.BOOK_CHANGES)) {
            for (int i = 0; i < rows.size(); i++) {
                List<Integer> replicas = new ArrayList<>();
                for (int r = rows.replicasFrom(i); r < rows.replicasFrom(i + 1); r++) {
                    replicas.add(rows.replicas()[r]);
                }
                if (replicas.isEmpty()) {
                    book.remove(rows.vertex(i));
                } else {
                    book.put(rows.vertex(i), replicas);
                }
            }
        }
        for (JobQuality report : harness.drain(AssignerOperator.QUALITY)) {
            quality = report;
        }
    }

    @ParameterizedTest
    @EnumSource(PartitioningKind.class)
    void refinesWhatItHasPlacedAcrossCrashes(PartitioningKind kind) throws Exception {
        PartitionerOptions partitioner =
                new PartitionerOptions(kind, "cutwater", K, 5, PassMode.LIVE, Map.of("window", "200"));
        AssignOptions options = AssignOptions.of(partitioner, 1 << 20, Duration.ofHours(1), true)
                .withBook(true)
                .withRefinement(0.5);
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph.growingCommunities(40, 7).fill(edges, 25_000);
        OperatorSubtaskState state = null;
        for (int from = 0; from < edges.size(); from += 5000) {
            try (AssignerHarness harness = AssignerHarness.open(options, state)) {
                harness.processElement1(new StreamRecord<>(part(edges, from)));
                state = checkpoint(harness, options);
                // What comes after the barrier is lost with the attempt.
                harness.processElement1(new StreamRecord<>(part(edges, (from + 5000) % edges.size())));
            }
        }
        try (AssignerHarness harness = AssignerHarness.open(options, state)) {
            harness.endInput();
            take(harness);
        }
        for (int i = 0; i < edges.size(); i++) {
            graph.merge(edges.source(i) + " " + edges.target(i), 1, Integer::sum);
        }
        assertThat(shards).anyMatch(batch -> batch.change() == ShardChange.EVICT);
        NetShards net = net(K);
        assertSameGraph(net);
        assertThat(quality.quality()).isEqualTo(net.quality(kind == PartitioningKind.VERTEX));
        assertThat(book).isEqualTo(net.replicas());
    }

    private static EdgeBatch part(EdgeBatch edges, int from) {
        EdgeBatch part = new EdgeBatch();
        for (int i = from; i < from + 5000; i++) {
            part.addFrom(edges, i);
        }
        return part;
    }

    @Test
    void restoresTheNumberOfPartitionsAndFinishedCommands() throws Exception {
        AssignOptions options = job(PartitioningKind.EDGE, "hdrf", Map.of());
        OperatorSubtaskState state;
        try (AssignerHarness harness = AssignerHarness.open(options, null)) {
            stream(harness);
            state = checkpoint(harness, options);
        }
        JobCommand.Repartition command = new JobCommand.Repartition("a", 5, 1, Long.MAX_VALUE, false);
        state = repartition(options, state, command);
        RepartitionStatus end = last();
        assertThat(end.after()).isNotEmpty();
        try (AssignerHarness harness = AssignerHarness.open(options, state)) {
            harness.command(new CommandEvent(command, null));
            checkpoint(harness, options);
        }
        assertThat(last()).isEqualTo(end);
        assertThat(quality.quality().partitions()).isEqualTo(5);
    }

    @Test
    void aJobThatWasNeverRepartitionedKeepsItsNumberOfPartitions() throws Exception {
        AssignOptions options = job(PartitioningKind.EDGE, "hdrf", Map.of());
        OperatorSubtaskState state;
        try (AssignerHarness harness = AssignerHarness.open(options, null)) {
            state = checkpoint(harness, options);
        }
        assertThatThrownBy(() -> AssignerHarness.open(options.withPartitions(4), state))
                .hasStackTraceContaining("the checkpoint has 3 partitions, the job was started with 4");
    }

    @Test
    void aMalformedCommandIsADeadLetter() throws Exception {
        AssignOptions options = job(PartitioningKind.EDGE, "hdrf", Map.of());
        RejectedRecord rejected = new RejectedRecord("why", "commands", 0, 1, null, new byte[0]);
        try (AssignerHarness harness = AssignerHarness.open(options, null)) {
            harness.command(new CommandEvent(null, rejected));
            assertThat(harness.drain(AssignerOperator.DEAD_LETTERS)).containsExactly(rejected);
            checkpoint(harness, options);
        }
        assertThat(quality.quality().deadLetters()).isEqualTo(1);
    }

    @Test
    void aJobThatKeepsNoEdgesRefusesCommandsAndNamesTheOption() throws Exception {
        AssignOptions options = new AssignOptions(
                PartitionerOptions.ofEdges("hdrf", K, 5, PassMode.LIVE, Map.of()), 1, true, Duration.ofSeconds(1));
        try (AssignerHarness harness = AssignerHarness.open(options, null)) {
            harness.command(new CommandEvent(new JobCommand.Repartition("a", 5, 1, Long.MAX_VALUE, false), null));
            checkpoint(harness, options);
        }
        assertThat(last())
                .isEqualTo(RepartitionStatus.refused("a", 0, K, "the job keeps no edges; submit it with --keep-edges"));
    }
}
