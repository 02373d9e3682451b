package io.cutwater.flink.operator.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.types.message.AssignerMessage;
import io.cutwater.flink.types.quality.PartQuality;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.feedback.NumberedBatch;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.ReplicaCounts;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/** The operator with vertex tables that the test plays: one bucket, no vertex known. */
final class AssignerOverTablesTest {
    private static final int K = 5;
    private static final int MAX_PARALLELISM = 16;
    private static final AssignOptions OPTIONS = options(PartitionerOptions.ofEdges("hdrf", K, 1));
    private static final AssignOptions BUFFERED =
            options(PartitionerOptions.ofEdges("cutwater", K, 1, PassMode.LIVE, Map.of("buffer", "100")));

    private static AssignOptions options(PartitionerOptions partitioner) {
        return new AssignOptions(partitioner, 1 << 10, true, Duration.ofHours(1));
    }

    private static final class Harness
            extends TwoInputStreamOperatorTestHarness<NumberedBatch, AssignerMessage, ShardBatch> {
        private final VertexLayout layout;

        Harness(int assigners, int index) throws Exception {
            this(OPTIONS, assigners, index);
        }

        Harness(AssignOptions options, int assigners, int index) throws Exception {
            super(
                    RemoteVertices.assigner(options, new SpreadOptions(1, 1, assigners), 0),
                    MAX_PARALLELISM,
                    assigners,
                    index);
            layout = options.layout();
            setup(ShardBatch.TYPE.serializer());
        }

        /** Returns what was sent, after the time in which updates are gathered. */
        List<VertexUpdate> updates() throws Exception {
            setProcessingTime(getProcessingTime() + 20);
            List<VertexUpdate> updates = new ArrayList<>();
            var sent = getSideOutput(AssignerOperator.UPDATES);
            if (sent != null) {
                sent.forEach(update -> updates.add(update.getValue()));
                sent.clear();
            }
            return updates;
        }

        void greet(long run, long... confirmedByLineage) throws Exception {
            Views greeting = new Views().reset(0, 0, 0, run, layout.stride());
            for (int i = 0; i < confirmedByLineage.length; i += 2) {
                greeting.confirm(greeting.bucket(), confirmedByLineage[i], confirmedByLineage[i + 1]);
            }
            processElement2(new StreamRecord<>(AssignerMessage.of(greeting)));
        }

        void place(long number, long... ends) throws Exception {
            EdgeBatch batch = new EdgeBatch();
            for (int i = 0; i < ends.length; i += 2) {
                batch.add(ends[i], ends[i + 1]);
            }
            processElement1(new StreamRecord<>(new NumberedBatch(1, number, 0, 1, batch, new long[0])));
            processElement2(new StreamRecord<>(AssignerMessage.of(views(layout, number, ends))));
        }

        long edges() throws Exception {
            return last().quality().edges();
        }

        /** Returns the last report, which is exact. */
        PartitionQuality exact(int partition) throws Exception {
            PartQuality last = last();
            assertThat(last.isExact()).isTrue();
            return last.quality().perPartition().get(partition);
        }

        private PartQuality last() throws Exception {
            PartQuality last = null;
            prepareSnapshotPreBarrier(9);
            for (StreamRecord<PartQuality> part : getSideOutput(AssignerOperator.PART_QUALITY)) {
                last = part.getValue();
            }
            return Objects.requireNonNull(last);
        }
    }

    /** Views of distinct vertices that the table has nothing of. */
    private static Views views(VertexLayout layout, long number, long... vertices) {
        Views views = new Views().reset(number, 0, 0, 7, layout.stride());
        VertexTable table = new VertexTable(layout);
        for (long vertex : vertices) {
            int slot = table.slot(vertex);
            int at = views.addRecord();
            RecordExchange.copy(table, slot, views.records(), at);
        }
        return views;
    }

    @Test
    void aBusyAssignerSendsEverySixtyMillisecondsAndAnyOtherAfterTwenty() throws Exception {
        long[] ends = LongStream.range(0, 512).toArray();
        try (Harness harness = new Harness(1, 0)) {
            harness.open();
            harness.greet(7);
            harness.place(1, ends);
            assertThat(harness.updates()).as("20 ms, busy").isEmpty();
            harness.place(2, Arrays.stream(ends).map(end -> end + 1_000).toArray());
            assertThat(harness.updates()).as("40 ms, busy").isEmpty();
            assertThat(harness.updates()).as("60 ms").isNotEmpty();
            harness.place(3, 2_000, 2_001);
            assertThat(harness.updates()).as("80 ms, a slow stream").isNotEmpty();
            harness.place(4, Arrays.stream(ends).map(end -> end + 3_000).toArray());
            assertThat(harness.updates()).as("100 ms, busy").isEmpty();
            assertThat(harness.updates()).as("120 ms").isNotEmpty();
            harness.place(5, Arrays.stream(ends).map(end -> end + 4_000).toArray());
            assertThat(harness.updates()).as("140 ms, busy").isEmpty();
            assertThat(harness.updates()).as("160 ms, idle").isNotEmpty();
        }
    }

    @Test
    void placesNothingBeforeTheGreetingOfTheTable() throws Exception {
        try (Harness harness = new Harness(1, 0)) {
            harness.open();
            harness.place(1, 1, 2);
            assertThat(harness.updates()).isEmpty();
            harness.greet(7);
            assertThat(harness.updates()).hasSize(1);
            assertThat(harness.edges()).isEqualTo(1);
        }
    }

    @Test
    void sendsMissingUpdatesAgainAfterARestore() throws Exception {
        OperatorSubtaskState snapshot;
        long lineage;
        try (Harness harness = new Harness(1, 0)) {
            harness.open();
            harness.greet(7);
            harness.place(1, 1, 2);
            List<VertexUpdate> sent = harness.updates();
            harness.place(2, 3, 4);
            sent.addAll(harness.updates());
            assertThat(sent).extracting(VertexUpdate::sequence).containsExactly(1L, 2L);
            lineage = sent.get(0).lineage();
            harness.prepareSnapshotPreBarrier(1);
            snapshot = harness.snapshot(1, 1);
        }
        try (Harness harness = new Harness(1, 0)) {
            harness.initializeState(snapshot);
            harness.open();
            harness.greet(8, lineage, 1);
            List<VertexUpdate> again = harness.updates();
            assertThat(again).hasSize(1);
            assertThat(again.get(0).sequence()).isEqualTo(2);
            assertThat(again.get(0).run()).isEqualTo(8);
            assertThat(again.get(0).added().vertex(0)).isIn(3L, 4L);
            harness.place(1, 5, 6);
            assertThat(harness.updates()).extracting(VertexUpdate::sequence).containsExactly(3L);
            assertThat(harness.edges()).isEqualTo(3);
        }
        try (Harness harness = new Harness(1, 0)) {
            harness.initializeState(snapshot);
            harness.open();
            assertThatThrownBy(() -> harness.greet(8, lineage, 3)).hasMessageContaining("not of the same checkpoint");
        }
    }

    @Test
    void oneAssignerTakesOverTheStateOfTwo() throws Exception {
        List<OperatorSubtaskState> two = new ArrayList<>();
        for (int index = 0; index < 2; index++) {
            try (Harness harness = new Harness(2, index)) {
                harness.open();
                harness.greet(7);
                harness.place(1 + index, 10 * index + 1, 10 * index + 2);
                harness.prepareSnapshotPreBarrier(1);
                two.add(harness.snapshot(1, 1));
            }
        }
        OperatorSubtaskState both = AbstractStreamOperatorTestHarness.repackageState(two.get(0), two.get(1));
        try (Harness harness = new Harness(1, 0)) {
            harness.initializeState(
                    AbstractStreamOperatorTestHarness.repartitionOperatorState(both, MAX_PARALLELISM, 2, 1, 0));
            harness.open();
            harness.greet(8);
            assertThat(harness.updates())
                    .extracting(update -> update.added().vertex(0) / 10)
                    .containsExactlyInAnyOrder(0L, 1L);
            assertThat(harness.edges()).isEqualTo(2);
        }
    }

    @Test
    void aBufferedEdgeGoesWhereItsVerticesAreKnownToBeBehindARestore() throws Exception {
        for (int home = 0; home < K; home++) {
            OperatorSubtaskState snapshot;
            try (Harness harness = new Harness(BUFFERED, 2, 1)) {
                harness.open();
                harness.greet(7);
                EdgeBatch batch = new EdgeBatch();
                batch.add(1, 2);
                harness.processElement1(new StreamRecord<>(new NumberedBatch(1, 1, 0, 1, batch, new long[0])));
                VertexTable table = new VertexTable(BUFFERED.layout());
                Views known = new Views().reset(1, 0, 0, 7, BUFFERED.layout().stride());
                for (long vertex = 1; vertex <= 2; vertex++) {
                    int slot = table.slot(vertex);
                    table.addReplica(slot, home, new PartitionLoads(K));
                    int at = known.addRecord();
                    RecordExchange.copy(table, slot, known.records(), at);
                }
                harness.processElement2(new StreamRecord<>(AssignerMessage.of(known)));
                assertThat(harness.edges()).isZero();
                snapshot = harness.snapshot(1, 1);
            }
            try (Harness harness = new Harness(BUFFERED, 2, 1)) {
                harness.initializeState(snapshot);
                harness.open();
                harness.greet(8);
                harness.endInput1();
                assertThat(harness.edges()).isEqualTo(1);
                assertThat(harness.extractOutputValues())
                        .extracting(ShardBatch::shard)
                        .containsExactly(home);
            }
        }
    }

    @Test
    void threeAssignersPlaceOnceWhatTwoHaveBufferedWhoseCutsSayNothingToThem() throws Exception {
        Duration second = Duration.ofSeconds(1);
        AssignOptions cutting = AssignOptions.of(BUFFERED.partitioner(), 1 << 10, second, false)
                .withBook(true)
                .withCheckpoints(second);
        OperatorSubtaskState[] two = new OperatorSubtaskState[2];
        for (int index = 0; index < 2; index++) {
            try (Harness harness = new Harness(cutting, 2, index)) {
                harness.open();
                harness.greet(7);
                harness.place(1, 10 * index + 1, 10 * index + 2);
                harness.prepareSnapshotPreBarrier(1);
                assertThat(harness.extractOutputValues()).isEmpty();
                two[index] = harness.snapshot(1, 1);
            }
        }
        OperatorSubtaskState both = AbstractStreamOperatorTestHarness.repackageState(two);
        List<Long> sources = new ArrayList<>();
        for (int index = 0; index < 3; index++) {
            try (Harness harness = new Harness(cutting, 3, index)) {
                harness.initializeState(
                        AbstractStreamOperatorTestHarness.repartitionOperatorState(both, MAX_PARALLELISM, 2, 3, index));
                harness.open();
                harness.greet(8);
                harness.setProcessingTime(1);
                assertThat(harness.extractOutputValues()).isEmpty();
                harness.endInput1();
                harness.prepareSnapshotPreBarrier(2);
                harness.extractOutputValues()
                        .forEach(batch -> sources.add(batch.edges().source(0)));
            }
        }
        assertThat(sources).containsExactlyInAnyOrder(1L, 11L);
    }

    @Test
    void oneAssignerTakesTheBufferedEdgesOfTwoWhenTheTableHasSentTheirVertices() throws Exception {
        OperatorSubtaskState both = ofTwo();
        try (Harness harness = new Harness(BUFFERED, 1, 0)) {
            harness.initializeState(
                    AbstractStreamOperatorTestHarness.repartitionOperatorState(both, MAX_PARALLELISM, 2, 1, 0));
            harness.open();
            harness.greet(8);
            harness.endInput1();
            VertexUpdate asks = harness.updates().get(0);
            assertThat(asks.added().size()).isEqualTo(4);
            assertThat(asks.hints()).as("changes of degrees").containsOnly(-1);
            assertThat(harness.extractOutputValues()).isEmpty();

            Views restored = views(BUFFERED.layout(), Long.MIN_VALUE, 1, 2, 11, 12);
            restored.setHandover(TableTotals.toBytes(new ReplicaCounts(new long[] {7, 0, 0, 0, 0}, 5), null));
            harness.processElement2(new StreamRecord<>(AssignerMessage.of(restored)));
            assertThat(harness.edges()).isEqualTo(2);
            assertThat(harness.exact(0).vertices()).isGreaterThanOrEqualTo(7);
        }
    }

    @Test
    void twoAssignersGoOnWithWhatOneHasBuffered() throws Exception {
        OperatorSubtaskState one;
        VertexUpdate last;
        try (Harness harness = new Harness(BUFFERED, 1, 0)) {
            harness.open();
            harness.greet(7);
            harness.place(1, 1, 2, 3, 4);
            harness.prepareSnapshotPreBarrier(1);
            List<VertexUpdate> sent = harness.updates();
            last = sent.get(sent.size() - 1);
            one = harness.snapshot(1, 1);
        }
        long edges = 0;
        for (int index = 0; index < 2; index++) {
            try (Harness harness = new Harness(BUFFERED, 2, index)) {
                harness.initializeState(
                        AbstractStreamOperatorTestHarness.repartitionOperatorState(one, MAX_PARALLELISM, 1, 2, index));
                harness.open();
                harness.greet(8, last.lineage(), last.sequence());
                harness.endInput1();
                edges += harness.edges();
            }
        }
        assertThat(edges).isEqualTo(2);
    }

    @Test
    void severalAssignersRememberThatOneHasKeptEdgesHoweverOftenTheyAreRestored() throws Exception {
        AssignOptions owners = new AssignOptions(
                PartitionerOptions.ofVertices("ldg", K, 1, PassMode.LIVE, Map.of()),
                1 << 10,
                true,
                Duration.ofHours(1),
                Duration.ofSeconds(1),
                true);
        OperatorSubtaskState state;
        try (Harness harness = new Harness(owners, 1, 0)) {
            harness.open();
            harness.greet(7);
            harness.prepareSnapshotPreBarrier(1);
            state = harness.snapshot(1, 1);
        }
        assertThat(haveNoOwners(state)).isFalse(); // one assigner needs none
        for (int life = 1; life <= 2; life++) {
            try (Harness harness = new Harness(owners, 2, 0)) {
                harness.initializeState(
                        life == 2
                                ? state
                                : AbstractStreamOperatorTestHarness.repartitionOperatorState(
                                        state, MAX_PARALLELISM, 1, 2, 0));
                harness.open();
                harness.greet(7 + life);
                harness.prepareSnapshotPreBarrier(1);
                state = harness.snapshot(1, 1);
                assertThat(haveNoOwners(state)).isTrue();
            }
        }
        try (Harness harness = new Harness(owners, 2, 0)) {
            harness.open();
            harness.greet(7);
            harness.prepareSnapshotPreBarrier(1);
            assertThat(haveNoOwners(harness.snapshot(1, 1))).isFalse();
        }
    }

    /** Returns whether the tables are to tell each other owners before the next plan, as a snapshot says. */
    private static boolean haveNoOwners(OperatorSubtaskState state) {
        return state.getManagedOperatorState().stream()
                .map(handle -> handle.getStateNameToPartitionOffsets().get(RemoteState.WITHOUT_OWNERS.getName()))
                .anyMatch(element -> element != null && element.getOffsets().length > 0);
    }

    /** One assigner numbers clusters, several know them by the labels of their vertices. */
    @Test
    void clustersComeWithTheirVerticesToTwoAssignersAndBackToOne() throws Exception {
        AssignOptions sigma =
                new AssignOptions(PartitionerOptions.ofEdges("sigma-edge", K, 1), 1 << 10, true, Duration.ofHours(1));
        VertexTable table = new VertexTable(sigma.layout());
        OperatorSubtaskState one;
        VertexUpdate last;
        int partition;
        try (Harness harness = new Harness(sigma, 1, 0)) {
            harness.open();
            harness.greet(7);
            harness.place(1, 1, 2);
            harness.prepareSnapshotPreBarrier(1);
            List<VertexUpdate> sent = harness.updates();
            last = sent.get(sent.size() - 1);
            for (int i = 0; i < 2; i++) {
                byte[] record = Objects.requireNonNull(Objects.requireNonNull(last.records())[i]);
                RecordExchange.load(table, last.added().vertex(i), record);
            }
            partition = harness.extractOutputValues().get(0).shard();
            one = harness.snapshot(1, 1);
        }
        OperatorSubtaskState[] two = new OperatorSubtaskState[2];
        for (int index = 0; index < 2; index++) {
            try (Harness harness = new Harness(sigma, 2, index)) {
                harness.initializeState(
                        AbstractStreamOperatorTestHarness.repartitionOperatorState(one, MAX_PARALLELISM, 1, 2, index));
                harness.open();
                harness.greet(8, last.lineage(), last.sequence());
                placeKnown(harness, table, 1, 2, partition);
                harness.prepareSnapshotPreBarrier(2);
                two[index] = harness.snapshot(2, 2);
            }
        }
        OperatorSubtaskState both = AbstractStreamOperatorTestHarness.repackageState(two);
        try (Harness harness = new Harness(sigma, 1, 0)) {
            harness.initializeState(
                    AbstractStreamOperatorTestHarness.repartitionOperatorState(both, MAX_PARALLELISM, 2, 1, 0));
            harness.open();
            harness.greet(9);
            Views restored =
                    new Views().reset(Long.MIN_VALUE, 0, 0, 9, sigma.layout().stride());
            restored.setHandover(TableTotals.toBytes(new ReplicaCounts(new long[K], 0), null));
            harness.processElement2(new StreamRecord<>(AssignerMessage.of(restored)));
            placeKnown(harness, table, 1, 2, partition);
        }
    }

    /** Places an edge between vertices that the table knows; it must go to a partition. */
    private static void placeKnown(Harness harness, VertexTable table, long source, long target, int partition)
            throws Exception {
        EdgeBatch batch = new EdgeBatch();
        batch.add(source, target);
        harness.processElement1(new StreamRecord<>(new NumberedBatch(1, 1, 0, 1, batch, new long[0])));
        Views known = new Views().reset(1, 0, 0, 7, harness.layout.stride());
        for (long vertex : new long[] {source, target}) {
            int at = known.addRecord();
            RecordExchange.copy(table, table.slot(vertex), known.records(), at);
        }
        harness.processElement2(new StreamRecord<>(AssignerMessage.of(known)));
        harness.prepareSnapshotPreBarrier(5);
        assertThat(harness.extractOutputValues()).extracting(ShardBatch::shard).containsOnly(partition);
    }

    private static OperatorSubtaskState ofTwo() throws Exception {
        OperatorSubtaskState[] two = new OperatorSubtaskState[2];
        for (int index = 0; index < 2; index++) {
            try (Harness harness = new Harness(BUFFERED, 2, index)) {
                harness.open();
                harness.greet(7);
                harness.place(1, 10 * index + 1, 10 * index + 2);
                harness.prepareSnapshotPreBarrier(1);
                two[index] = harness.snapshot(1, 1);
            }
        }
        return AbstractStreamOperatorTestHarness.repackageState(two);
    }

    @Test
    void refusesAnotherNumberOfTasks() throws Exception {
        try (var harness = new TwoInputStreamOperatorTestHarness<>(
                RemoteVertices.assigner(OPTIONS, new SpreadOptions(1, 1, 4), 0), MAX_PARALLELISM, 2, 0)) {
            harness.setup(ShardBatch.TYPE.serializer());
            assertThatThrownBy(harness::open).hasMessageContaining("there are 2 tasks of assign batches where 4");
        }
    }

    @Test
    void refusesABarrierWhileABatchWaits() throws Exception {
        try (Harness harness = new Harness(1, 0)) {
            harness.open();
            harness.greet(7);
            EdgeBatch batch = new EdgeBatch();
            batch.add(1, 2);
            harness.processElement1(new StreamRecord<>(new NumberedBatch(1, 1, 0, 1, batch, new long[0])));
            harness.prepareSnapshotPreBarrier(1);
            assertThatThrownBy(() -> harness.snapshot(1, 1)).hasStackTraceContaining("checkpoints must be aligned");
        }
    }

    @Test
    void sendsTheEndAfterTheLastBatch() throws Exception {
        try (Harness harness = new Harness(1, 0)) {
            harness.open();
            harness.greet(7);
            EdgeBatch batch = new EdgeBatch();
            batch.add(1, 2);
            harness.processElement1(new StreamRecord<>(new NumberedBatch(1, 1, 0, 1, batch, new long[0])));
            harness.endInput1();
            assertThat(harness.updates()).isEmpty();
            harness.processElement2(new StreamRecord<>(AssignerMessage.of(views(harness.layout, 1, 1, 2))));
            List<VertexUpdate> updates = harness.updates();
            assertThat(updates).extracting(VertexUpdate::isEnd).containsExactly(false, true);
            harness.endInput2();
            assertThat(harness.extractOutputValues()).hasSize(1);
        }
    }

    @Test
    void severalAssignersOfARuleThatNeedsOneAreRefused() {
        AssignOptions alone = new AssignOptions(
                PartitionerOptions.ofEdges("sigma-edge", K, 1, PassMode.LIVE, Map.of("clustering", "none")),
                1 << 10,
                true,
                Duration.ofHours(1));
        assertThatThrownBy(() -> RemoteVertices.assigner(alone, new SpreadOptions(1, 1, 2), 0))
                .hasMessage("sigma-edge needs one assigner, but there are 2");
    }
}
