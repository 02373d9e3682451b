package io.cutwater.flink.operator.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.checkpoint.assigner.Totals;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.local.AssignerHarness;
import io.cutwater.flink.types.message.AssignerMessage;
import io.cutwater.flink.types.message.CommandEvent;
import io.cutwater.flink.types.quality.PartQuality;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.feedback.Lookup;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.RepartitioningState;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/** The operator on RocksDB state, with a loop that the test plays. */
final class VertexTableOperatorTest {
    private static final int K = VertexTableHarness.K;
    private static final int BUCKETS = VertexTableHarness.BUCKETS;
    private static final int ASSIGNERS = VertexTableHarness.ASSIGNERS;
    private static final VertexLayout LAYOUT = new VertexLayout(K, false);
    private static final AssignOptions OPTIONS = VertexTableHarness.OPTIONS;

    private final UpdateQueue loop = new UpdateQueue();

    @Test
    void greetsEveryAssignerForEachOfItsBuckets() throws Exception {
        Set<String> greeted = new HashSet<>();
        for (int index = 0; index < 2; index++) {
            try (VertexTableHarness harness = VertexTableHarness.open(loop, 2, index, null)) {
                for (Views greeting : harness.answers()) {
                    assertThat(greeting.isGreeting()).isTrue();
                    assertThat(greeted.add(greeting.bucket() + " " + greeting.assigner()))
                            .isTrue();
                }
            }
        }
        assertThat(greeted).hasSize(BUCKETS * ASSIGNERS);
    }

    @Test
    void answersWithTheVertexBeforeTheBatchAndConfirmsToTheSender() throws Exception {
        try (VertexTableHarness harness = VertexTableHarness.open(loop, 1, 0, null)) {
            long run = harness.answers().get(0).run();
            harness.processElement(new StreamRecord<>(lookup(1, 0, 42, 3)));
            assertThat(degree(harness.answers().get(0))).isZero();
            harness.apply(update(run, 0, 9, 1, 42, 4, 2));
            harness.processElement(new StreamRecord<>(lookup(2, 0, 42, 1)));
            Views views = harness.answers().get(0);
            assertThat(degree(views)).isEqualTo(3);
            assertThat(row(views)).isEqualTo("42 3 2 [2, 4]");
            assertThat(views.lineageCount()).isEqualTo(1);
            assertThat(views.lineage(0)).isEqualTo(9);
            assertThat(views.confirmed(0)).isEqualTo(1);
            harness.processElement(new StreamRecord<>(lookup(3, 1, 42, 1)));
            assertThat(harness.answers().get(0).lineageCount())
                    .as("nothing of its own")
                    .isZero();
        }
    }

    @Test
    void ignoresUpdatesOfAnotherRunAndDuplicatesAndFailsOverAGap() throws Exception {
        try (VertexTableHarness harness = VertexTableHarness.open(loop, 1, 0, null)) {
            long run = harness.answers().get(0).run();
            harness.apply(update(run + 1, 0, 9, 1, 42, 4));
            harness.apply(update(run, 0, 9, 1, 42, 3));
            harness.apply(update(run, 0, 9, 1, 42, 1));
            harness.processElement(new StreamRecord<>(lookup(1, 0, 42, 1)));
            assertThat(row(harness.answers().get(0))).isEqualTo("42 0 3 [3]");
            assertThatThrownBy(() -> harness.apply(update(run, 0, 9, 3, 42, 1)))
                    .hasStackTraceContaining("update 3 of lineage 9")
                    .hasStackTraceContaining("an update was lost");
        }
    }

    @Test
    void keepsVerticesLedgersAndReplicasAfterRescaling() throws Exception {
        OperatorSubtaskState one;
        try (VertexTableHarness harness = VertexTableHarness.open(loop, 1, 0, null)) {
            long run = harness.answers().get(0).run();
            for (long vertex = 0; vertex < 50; vertex++) {
                harness.processElement(new StreamRecord<>(lookup(1 + vertex, 0, vertex, 2)));
                harness.apply(update(run, 0, 1000 + vertex, 1, vertex, (int) vertex % K));
            }
            harness.prepareSnapshotPreBarrier(1);
            one = harness.snapshot(1, 1);
        }
        List<OperatorSubtaskState> two = new ArrayList<>();
        long vertices = 0;
        long replicas = 0;
        for (int index = 0; index < 2; index++) {
            try (VertexTableHarness harness = VertexTableHarness.open(loop, 2, index, one)) {
                TreeSet<Long> confirmed = new TreeSet<>();
                for (Views greeting : harness.answers()) {
                    for (int i = 0; i < greeting.lineageCount(); i++) {
                        confirmed.add(greeting.lineage(i));
                    }
                }
                Quality quality = lastQuality(harness);
                assertThat(quality.vertices()).isEqualTo(confirmed.size());
                vertices += quality.vertices();
                replicas += quality.copies();
                for (long lineage : confirmed) {
                    long vertex = lineage - 1000;
                    harness.processElement(new StreamRecord<>(lookup(1, 0, vertex, 1)));
                    assertThat(row(harness.answers().get(0)))
                            .isEqualTo("%d 2 %d [%d]".formatted(vertex, vertex % K, vertex % K));
                }
                harness.prepareSnapshotPreBarrier(2);
                two.add(harness.snapshot(2, 2));
            }
        }
        assertThat(vertices).isEqualTo(50);
        assertThat(replicas).isEqualTo(50);
        OperatorSubtaskState both = AbstractStreamOperatorTestHarness.repackageState(two.get(0), two.get(1));
        VertexTableHarness harness = new VertexTableHarness(loop, 1, 0);
        try (harness) {
            harness.initializeState(AbstractStreamOperatorTestHarness.repartitionOperatorState(both, BUCKETS, 2, 1, 0));
            harness.open();
            harness.processElement(new StreamRecord<>(lookup(1, 0, 7, 1)));
            List<Views> answers = harness.answers();
            assertThat(row(answers.get(answers.size() - 1))).isEqualTo("7 3 2 [2]");
            assertThat(lastQuality(harness).vertices()).isEqualTo(50);
        }
    }

    @Test
    void takesOverTheStateOfAFusedJobAndHandsItsTotalsOverOnce() throws Exception {
        OperatorSubtaskState fused;
        try (var harness = new AssignerHarness(OPTIONS, BUCKETS)) {
            harness.setStateBackend(new EmbeddedRocksDBStateBackend());
            harness.setup(ShardBatch.TYPE.serializer());
            harness.open();
            EdgeBatch batch = new EdgeBatch();
            for (long i = 0; i < 60; i++) {
                batch.add(i % 7, 100 + i % 20);
            }
            harness.processElement(new StreamRecord<>(batch));
            harness.prepareSnapshotPreBarrier(1);
            fused = harness.snapshot(1, 1);
        }
        List<byte[]> handedOver = new ArrayList<>();
        long vertices = 0;
        long replicas = 0;
        OperatorSubtaskState first = null;
        for (int index = 0; index < 2; index++) {
            try (VertexTableHarness harness = VertexTableHarness.open(loop, 2, index, fused)) {
                for (Views greeting : harness.answers()) {
                    if (greeting.handover() != null) {
                        assertThat(greeting.assigner()).isZero();
                        handedOver.add(greeting.handover());
                    }
                }
                vertices += lastQuality(harness).vertices();
                replicas += lastQuality(harness).copies();
                harness.prepareSnapshotPreBarrier(2);
                OperatorSubtaskState state = harness.snapshot(2, 2);
                first = index == 0 ? state : first;
            }
        }
        assertThat(handedOver).hasSize(1);
        Totals totals = Objects.requireNonNull(
                FusedState.Part.fromBytes(handedOver.get(0)).totals());
        assertThat(totals.loads().totalEdges()).isEqualTo(60);
        assertThat(vertices).isEqualTo(27).isEqualTo(totals.loads().totalVertices());
        assertThat(replicas).isEqualTo(totals.loads().totalReplicas());
        VertexTableHarness again = new VertexTableHarness(loop, 2, 0);
        try (again) {
            again.initializeState(first);
            again.open();
            again.prepareSnapshotPreBarrier(3);
            assertThat(again.answers()).isNotEmpty().allMatch(greeting -> greeting.handover() == null);
        }
    }

    @Test
    void tellsAssignersOfARePartitioningThatRunsInAFusedJob() throws Exception {
        AssignOptions options = keepingEdges();
        OperatorSubtaskState running;
        try (var harness = new AssignerHarness(options, BUCKETS)) {
            harness.setStateBackend(new EmbeddedRocksDBStateBackend());
            harness.setup(ShardBatch.TYPE.serializer());
            harness.open();
            JobCommand command = new JobCommand.Repartition("r", 0, 1, Long.MAX_VALUE, false);
            harness.processElement2(new StreamRecord<>(AssignerMessage.of(new CommandEvent(command, null))));
            harness.prepareSnapshotPreBarrier(1);
            running = harness.snapshot(1, 1);
        }
        int told = 0;
        try (var harness = VertexTableHarness.open(options, new SpreadOptions(BUCKETS, 1, 2), loop, running)) {
            for (Views greeting : harness.answers()) {
                byte[] part = greeting.handover();
                if (part != null) {
                    RepartitioningState.Running now =
                            FusedState.Part.fromBytes(part).repartitionings().running();
                    assertThat(now).isNotNull();
                    assertThat(now.command().id()).isEqualTo("r");
                    told++;
                }
            }
        }
        assertThat(told).isEqualTo(2);
    }

    @Test
    void passesTheEdgesOfOneTaskOnBeforeItGreetsAndOnlyOnce() throws Exception {
        AssignOptions options = keepingEdges().withVertexRemovals(true);
        OperatorSubtaskState fused;
        try (var harness = new AssignerHarness(options, BUCKETS)) {
            harness.setStateBackend(new EmbeddedRocksDBStateBackend());
            harness.setup(ShardBatch.TYPE.serializer());
            harness.open();
            EdgeBatch batch = new EdgeBatch();
            for (long i = 0; i < 9_000; i++) {
                batch.add(i % 3, i);
            }
            harness.processElement(new StreamRecord<>(batch));
            harness.prepareSnapshotPreBarrier(1);
            fused = harness.snapshot(1, 1);
        }
        SpreadOptions spread = new SpreadOptions(BUCKETS, 1, 2);
        try (var harness = VertexTableHarness.open(options, spread, loop, fused)) {
            harness.apply(VertexUpdate.askEnds(1, loop.loop() + 1, 0)); // of another job
            assertThat(harness.messages()).isEmpty();
            assertThat(harness.answers()).isEmpty();
            int before = harness.entries();

            harness.apply(List.of(VertexUpdate.askEnds(7, loop.loop(), 0), VertexUpdate.askEnds(7, loop.loop(), 3)));
            assertThat(harness.answers()).isNotEmpty().allMatch(Views::isGreeting);
            List<VertexUpdate> messages = harness.messages();
            Set<String> edges = new HashSet<>();
            for (int part = 0; part < messages.size(); part++) {
                VertexUpdate message = messages.get(part);
                assertThat(message.run()).isEqualTo(7);
                assertThat(message.endsPart()).isEqualTo(part);
                EdgeBatch ends = Objects.requireNonNull(message.edges());
                assertThat(ends.size()).isLessThanOrEqualTo(EdgeBatch.DEFAULT_CAPACITY);
                for (int i = 0; i < ends.size(); i++) {
                    assertThat(edges.add(ends.source(i) + " " + ends.target(i))).isTrue();
                }
            }
            assertThat(edges).hasSize(9_000);
            assertThat(LeftEdges.Header.of(messages.get(messages.size() - 1)))
                    .isEqualTo(new LeftEdges.Header(LeftEdges.Kind.END, 0, BUCKETS));
            assertThat(harness.entries()).as("rows under targets are gone").isLessThan(before);

            VertexUpdate ofOthers = VertexUpdate.askEnds(8, loop.loop(), 0);
            assertThatThrownBy(() -> harness.apply(ofOthers)).hasMessageContaining("to an earlier attempt of the job");
        }
        try (var harness = VertexTableHarness.open(options, spread, loop, null)) {
            assertThat(harness.answers()).as("greetings at once").isNotEmpty();
            harness.apply(VertexUpdate.askEnds(9, loop.loop(), 0));
            assertThat(LeftEdges.Header.of(harness.messages().get(0)).kind()).isEqualTo(LeftEdges.Kind.NONE);
        }
    }

    private static AssignOptions keepingEdges() {
        return AssignOptions.of(OPTIONS.partitioner(), 1 << 20, Duration.ofSeconds(1), true);
    }

    @Test
    void emitsTheBookAfterTheEndOfEveryAssigner() throws Exception {
        try (VertexTableHarness harness = VertexTableHarness.open(loop, 1, 0, null)) {
            long run = harness.answers().get(0).run();
            harness.processElement(new StreamRecord<>(lookup(1, 0, 42, 1)));
            loop.send(List.of(update(run, 1, 9, 1, 42, 4)));
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                for (int assigner = 0; assigner < ASSIGNERS; assigner++) {
                    VertexBatch sent = new VertexBatch();
                    boolean hasSent = assigner == 1 && bucket == Hashing.bucket(42, BUCKETS);
                    sent.add(8L + assigner, hasSent ? 1 : 0, VertexTable.NO_MASTER);
                    loop.send(List.of(new VertexUpdate(run, assigner, 0, bucket, 0, sent)));
                }
            }
            harness.endInput();
            VertexBatch book = harness.getSideOutput(VertexTableOperator.FINAL_BOOK)
                    .element()
                    .getValue();
            assertThat(book.size()).isEqualTo(1);
            assertThat(book.vertex(0)).isEqualTo(42);
            assertThat(book.degree(0)).isEqualTo(1);
            assertThat(book.master(0)).isEqualTo(4);
        }
    }

    @Test
    void theBookHasEveryDegreeAtEveryBarrierAlsoWithUpdatesInFlight() throws Exception {
        try (VertexTableHarness harness = VertexTableHarness.open(loop, 1, 0, null)) {
            long run = harness.answers().get(0).run();
            harness.processElement(new StreamRecord<>(lookup(1, 0, 42, 3)));
            harness.prepareSnapshotPreBarrier(1);
            assertThat(book(harness)).containsExactly("42 3 []");
            harness.apply(update(run, 0, 9, 1, 42, 4));
            harness.prepareSnapshotPreBarrier(2);
            assertThat(book(harness)).containsExactly("42 3 [4]");
            harness.processElement(new StreamRecord<>(lookup(2, 0, 42, 2)));
            harness.prepareSnapshotPreBarrier(3);
            assertThat(book(harness)).containsExactly("42 5 [4] degree only");
            harness.prepareSnapshotPreBarrier(4);
            assertThat(book(harness)).isEmpty();
        }
    }

    private static List<String> book(VertexTableHarness harness) {
        List<String> book = new ArrayList<>();
        var records = harness.getSideOutput(VertexTableOperator.BOOK_CHANGES);
        while (records != null && !records.isEmpty()) {
            VertexBatch rows = records.remove().getValue();
            for (int i = 0; i < rows.size(); i++) {
                List<Integer> replicas = Arrays.stream(rows.replicas(), rows.replicasFrom(i), rows.replicasFrom(i + 1))
                        .boxed()
                        .toList();
                boolean saysSo = rows.isDegreeOnly(i) && !replicas.isEmpty();
                book.add(rows.vertex(i) + " " + rows.degree(i) + " " + replicas + (saysSo ? " degree only" : ""));
            }
        }
        return book;
    }

    private static Lookup lookup(long number, int assigner, long vertex, int count) {
        Lookup lookup = new Lookup().reset(number, assigner, 0, Hashing.bucket(vertex, BUCKETS));
        lookup.add(vertex, count);
        return lookup;
    }

    private static VertexUpdate update(
            long run, int assigner, long lineage, long sequence, long vertex, int... partitions) {
        VertexBatch added = new VertexBatch();
        added.add(vertex, 0, partitions[partitions.length - 1]);
        for (int partition : partitions) {
            added.addReplica(partition);
        }
        return new VertexUpdate(run, assigner, lineage, Hashing.bucket(vertex, BUCKETS), sequence, added);
    }

    private static long degree(Views views) {
        VertexTable table = new VertexTable(LAYOUT);
        return table.degree(RecordExchange.load(table, views.records(), 0));
    }

    private static String row(Views views) {
        VertexTable table = new VertexTable(LAYOUT);
        int slot = RecordExchange.load(table, views.records(), 0);
        TreeSet<Integer> replicas = new TreeSet<>();
        for (int p = 0; p < K; p++) {
            if (table.hasReplica(slot, p)) {
                replicas.add(p);
            }
        }
        return table.vertex(slot) + " " + table.degree(slot) + " " + table.master(slot) + " " + replicas;
    }

    private static Quality lastQuality(VertexTableHarness harness) {
        PartQuality last = null;
        for (StreamRecord<PartQuality> part : harness.getSideOutput(VertexTableOperator.PART_QUALITY)) {
            last = part.getValue();
        }
        return last.quality();
    }
}
