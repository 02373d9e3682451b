package io.cutwater.flink.operator.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.operator.local.NetShards;
import io.cutwater.flink.types.message.AssignerMessage;
import io.cutwater.flink.types.message.CommandEvent;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.feedback.Lookup;
import io.cutwater.state.feedback.NumberedBatch;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.feedback.ask.LookupMaker;
import io.cutwater.state.feedback.bucket.EdgesBySource;
import io.cutwater.state.graph.EdgeBatch;
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
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Assigners over a vertex table that move edges, with crashes and with other numbers of assigners. */
@Timeout(120)
final class TeamMovesTest {
    private static final int K = 3;
    private static final int BUCKETS = 4;
    private final SplittableRandom random = new SplittableRandom(17);
    private final Map<String, Integer> graph = new TreeMap<>();
    private final List<ShardBatch> shards = new ArrayList<>();
    private final List<RepartitionStatus> statuses = new ArrayList<>();
    private @Nullable OperatorSubtaskState ofTable;
    private @Nullable OperatorSubtaskState ofAssigners;
    private int assignersBefore;
    private int cachedVertices = 40;

    /** One attempt of the job. */
    private final class Life implements AutoCloseable {
        private final UpdateQueue loop = new UpdateQueue();
        private final VertexTableHarness table;
        private final List<TwoInputStreamOperatorTestHarness<NumberedBatch, AssignerMessage, ShardBatch>> assigners =
                new ArrayList<>();
        private final List<LookupMaker> lookups = new ArrayList<>();
        private final List<ShardBatch> emitted = new ArrayList<>();
        private long millis;

        Life(AssignOptions options, int count, double ownBudget) throws Exception {
            SpreadOptions spread = new SpreadOptions(BUCKETS, 1, count);
            table = VertexTableHarness.open(options, spread, loop, ofTable);
            for (int a = 0; a < count; a++) {
                var harness = new TwoInputStreamOperatorTestHarness<>(
                        RemoteVertices.assigner(options, spread, ownBudget), BUCKETS, count, a);
                harness.setup(ShardBatch.TYPE.serializer());
                if (ofAssigners != null) {
                    harness.initializeState(AbstractStreamOperatorTestHarness.repartitionOperatorState(
                            ofAssigners, BUCKETS, assignersBefore, count, a));
                }
                harness.open();
                assigners.add(harness);
                lookups.add(new LookupMaker(BUCKETS, 1, a, 1, 0, cachedVertices, false, false, a));
            }
            turn(); // the greetings, and what earlier lives have left
        }

        void command(JobCommand command) throws Exception {
            assigners.get(0).processElement2(new StreamRecord<>(AssignerMessage.of(new CommandEvent(command, null))));
        }

        /** Lets ten milliseconds pass, and delivers everything. */
        void turn() throws Exception {
            turn(10);
        }

        private void turn(long passing) throws Exception {
            millis += passing;
            table.setProcessingTime(millis);
            answer();
            List<VertexUpdate> updates = new ArrayList<>();
            for (var assigner : assigners) {
                assigner.setProcessingTime(millis);
                var sent = assigner.getSideOutput(AssignerOperator.UPDATES);
                if (sent != null) {
                    sent.forEach(update -> updates.add(update.getValue()));
                    sent.clear();
                }
            }
            if (!updates.isEmpty()) {
                table.apply(updates);
            }
        }

        private void answer() throws Exception {
            for (Views views : table.answers()) {
                assigners.get(views.assigner()).processElement2(new StreamRecord<>(AssignerMessage.of(views)));
            }
        }

        void stream(EdgeBatch batch) {
            EdgesBySource.split(batch, BUCKETS, assigners.size(), part -> {
                int a = EdgesBySource.assigner(part.source(0), BUCKETS, assigners.size());
                try {
                    assigners
                            .get(a)
                            .processElement1(new StreamRecord<>(lookups.get(a).ask(part, this::look)));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }

        private void look(Lookup lookup) {
            try {
                table.processElement(new StreamRecord<>(lookup));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        void checkpoint() throws Exception {
            lookups.forEach(each -> each.flush(this::look));
            table.prepareSnapshotPreBarrier(1);
            ofTable = table.snapshot(1, 1);
            answer();
            OperatorSubtaskState[] states = new OperatorSubtaskState[assigners.size()];
            for (int a = 0; a < states.length; a++) {
                assigners.get(a).prepareSnapshotPreBarrier(1);
                states[a] = assigners.get(a).snapshot(1, 1);
                for (Object element : assigners.get(a).getOutput()) {
                    emitted.add((ShardBatch) ((StreamRecord<?>) element).getValue());
                }
                assigners.get(a).getOutput().clear();
            }
            ofAssigners = AbstractStreamOperatorTestHarness.repackageState(states);
            assignersBefore = states.length;
            shards.addAll(emitted);
            emitted.clear();
            var plans = assigners.get(0).getSideOutput(AssignerOperator.PLANS);
            if (plans != null) {
                plans.forEach(plan -> statuses.add(plan.getValue()));
                plans.clear();
            }
        }

        @Override
        public void close() throws Exception {
            for (var assigner : assigners) {
                assigner.close();
            }
            table.close();
        }
    }

    private static AssignOptions job(String algorithm) {
        return job(PartitioningKind.EDGE, algorithm);
    }

    private static AssignOptions job(PartitioningKind kind, String algorithm) {
        Map<String, String> settings = algorithm.equals("cutwater") ? Map.of("window", "20") : Map.of();
        PartitionerOptions partitioner = new PartitionerOptions(kind, algorithm, K, 5, PassMode.LIVE, settings);
        return new AssignOptions(partitioner, 1 << 12, true, Duration.ofSeconds(1), Duration.ofHours(1), true);
    }

    @ParameterizedTest
    @CsvSource({"EDGE, cutwater", "EDGE, hash", "VERTEX, cutwater", "VERTEX, hash"})
    void growsAndShrinksDuringAdditionsRemovalsCrashesAndRescaling(PartitioningKind kind, String algorithm)
            throws Exception {
        AssignOptions options = job(kind, algorithm);
        try (Life life = new Life(options, 2, 0)) {
            for (int i = 0; i < 40; i++) {
                life.stream(batch());
                life.turn();
            }
            life.checkpoint();
        }
        repartition(options, new JobCommand.Repartition("grow", 5, 1, Long.MAX_VALUE, false));
        assertThat(last().state()).as(last().reason()).isEqualTo(PlanState.DONE);
        assertThat(last().edgesMoved()).isPositive();
        repartition(options, new JobCommand.Repartition("shrink", 2, 1, Long.MAX_VALUE, false));
        assertThat(last().state()).as(last().reason()).isEqualTo(PlanState.DONE);
        assertThat(last().generation()).isEqualTo(2);
        try (Life life = new Life(options, 2, 0)) {
            for (int i = 0; i < 10; i++) {
                life.stream(batch());
                life.turn();
            }
            for (var assigner : life.assigners) {
                assigner.endInput1();
            }
            for (int i = 0; i < 20; i++) {
                life.turn(); // the tables decide on owners, which places edges
            }
            life.checkpoint();
        }
        NetShards net = net(2); // nothing is on partitions that are gone
        assertThat(net.graph()).isEqualTo(graph);
    }

    @Test
    void tellsTheQualityOfTheWholeGraphBeforeAndAfterwards() throws Exception {
        AssignOptions options = job("hash");
        try (Life life = new Life(options, 3, 0)) {
            for (int i = 0; i < 40; i++) {
                life.stream(batch());
                life.turn();
            }
            life.turn();
            life.checkpoint();
            assertThat(net(K).graph()).isEqualTo(graph);
            Map<String, Double> before = net(K).quality(false).ratios();
            life.command(new JobCommand.Repartition("a", 0, 0.5, 100_000, false));
            for (int i = 0; i < 300 && !isOver("a"); i++) {
                life.turn();
                LockSupport.parkNanos(1_000_000); // for the thread that plans
                life.checkpoint();
            }
            RepartitionStatus status = last();
            assertThat(status.state()).as(status.reason()).isEqualTo(PlanState.DONE);
            assertThat(status.before()).isEqualTo(before);
            assertThat(status.after()).isEqualTo(net(K).quality(false).ratios());
            assertThat(status.after()).isEqualTo(status.expected());
            assertThat(status.edgesMoved()).isEqualTo(status.edgesToMove()).isPositive();
            assertThat(shards.stream()
                            .filter(batch -> batch.generation() == 1)
                            .mapToInt(batch -> batch.edges().size())
                            .sum())
                    .isEqualTo(2 * (int) status.edgesMoved());
        }
    }

    @ParameterizedTest
    @CsvSource({"EDGE, 2", "VERTEX, 1", "VERTEX, 2"})
    void beginsARoundOfItsOwn(PartitioningKind kind, int assigners) throws Exception {
        AssignOptions options = job(kind, "hash");
        try (Life life = new Life(options, assigners, 0.5)) {
            for (int i = 0; i < 200 && !isOver("auto-1"); i++) {
                for (int batches = i < 20 ? 8 : 1; batches > 0; batches--) {
                    life.stream(batch());
                }
                life.turn(200);
                LockSupport.parkNanos(1_000_000);
                life.checkpoint();
            }
            assertThat(isOver("auto-1")).isTrue();
            assertThat(last().before()).isNotEmpty();
            assertThat(last().edges()).isGreaterThan(1_000); // the plan may gain too little to be carried out
        }
    }

    @ParameterizedTest
    @CsvSource({"EDGE, 1", "EDGE, 2", "VERTEX, 1", "VERTEX, 3"})
    void movesToBetterPlacesBesideTheStreamAcrossCrashes(PartitioningKind kind, int assigners) throws Exception {
        AssignOptions options = job(kind, "cutwater").withRefinement(0.5);
        cachedVertices = 1 << 14; // only what is there is looked at
        EdgeBatch edges = new EdgeBatch();
        int inLife = kind.hasOwners() ? 8_000 : 8_000 * assigners; // one looks at an edge when it has placed 4,096 more
        SyntheticGraph.growingCommunities(40, 7).fill(edges, 3 * inLife);
        for (int from = 0; from < edges.size(); from += inLife) {
            try (Life life = new Life(options, assigners, 0)) {
                stream(life, edges, from, from + inLife);
                life.checkpoint();
                stream(life, edges, from, from + 2_000); // lost with the attempt
            }
        }
        for (int i = 0; i < edges.size(); i++) {
            graph.merge(edges.source(i) + " " + edges.target(i), 1, Integer::sum);
        }
        try (Life life = new Life(options, assigners, 0)) {
            for (var assigner : life.assigners) {
                assigner.endInput1();
            }
            for (int i = 0; i < (assigners == 1 ? 1 : 20); i++) {
                life.turn(); // tables decide on the owners of several, which places edges
            }
            life.checkpoint();
        }
        assertThat(net(K).graph()).isEqualTo(graph);
        assertThat(shards.stream()
                        .filter(batch -> batch.change() == ShardChange.EVICT && batch.generation() == 0)
                        .mapToInt(batch -> batch.edges().size())
                        .sum())
                .isGreaterThan(50);
    }

    private static void stream(Life life, EdgeBatch edges, int from, int to) throws Exception {
        for (int at = from; at < to; at += 200) {
            EdgeBatch batch = new EdgeBatch();
            for (int i = at; i < at + 200; i++) {
                batch.addFrom(edges, i);
            }
            life.stream(batch);
            life.turn();
        }
    }

    /** Feeds edges between the turns, and goes on in other tasks now and then, perhaps in another number of them. */
    private void repartition(AssignOptions options, JobCommand.Repartition command) throws Exception {
        // Each life is a little longer, until one sees the end.
        for (int number = 0; number < 30; number++) {
            try (Life life = new Life(options, 2 + number % 3, 0)) {
                if (number == 0) {
                    life.command(command);
                }
                for (int turn = 0; turn < 10 * number; turn++) {
                    life.stream(batch());
                    life.turn();
                    LockSupport.parkNanos(1_000_000); // for the thread that plans
                }
                life.checkpoint();
                life.turn(); // what comes after the barrier is lost with the attempt
            }
            if (isOver(command.id())) {
                return;
            }
        }
        throw new AssertionError("it does not end: " + last());
    }

    private boolean isOver(String id) {
        return statuses.stream()
                .anyMatch(status -> status.id().equals(id) && status.state().isOver());
    }

    private RepartitionStatus last() {
        return statuses.get(statuses.size() - 1);
    }

    private NetShards net(int partitions) {
        NetShards net = new NetShards(partitions);
        shards.forEach(net::apply);
        return net;
    }

    private EdgeBatch batch() {
        EdgeBatch batch = new EdgeBatch();
        for (int i = 0; i < 30; i++) {
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
        return batch;
    }
}
