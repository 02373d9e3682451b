package io.cutwater.flink.operator.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.flink.checkpoint.VertexBuckets;
import io.cutwater.flink.checkpoint.assigner.Totals;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.types.quality.JobQuality;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.table.PartitionLoads;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job that has run for so long that its counts are about to leave 32 bits goes on counting. */
final class CountsBeyond32BitsTest {
    private static final int K = 3;
    private static final int KEY_GROUPS = 128;
    private static final int EDGES = 100;
    /** Beyond 32 bits itself, and negative. */
    private static final long HUB = -(1L << 40);

    private static final PartitionerOptions HDRF = PartitionerOptions.ofEdges("hdrf", K, 5, PassMode.BULK, Map.of());

    @ParameterizedTest
    @ValueSource(longs = {(1L << 31) - 50, (1L << 32) - 50, 1L << 42})
    void continuesFromARestoredState(long before) throws Exception {
        OperatorSubtaskState checkpoint = checkpointOf(before);
        OperatorSubtaskState next;
        try (var harness = assigner(checkpoint)) {
            EdgeBatch batch = new EdgeBatch().setProgress(before + EDGES);
            for (int i = 0; i < EDGES; i++) {
                batch.add(HUB, i);
            }
            batch.reject(new RejectedRecord("not an edge", "f", -1, before, null, new byte[] {1}));
            harness.processElement(new StreamRecord<>(batch));
            harness.prepareSnapshotPreBarrier(2);
            next = harness.snapshot(2, 2);
        }
        try (var harness = assigner(next)) {
            EdgeBatch batch = new EdgeBatch().setProgress(before + EDGES + 1);
            batch.add(HUB, HUB);
            harness.processElement(new StreamRecord<>(batch));
            harness.endInput();
            assertThat(degreeOf(HUB, harness)).isEqualTo(before + EDGES + 2);
            JobQuality quality = null;
            for (StreamRecord<JobQuality> element : harness.getSideOutput(AssignerOperator.QUALITY)) {
                quality = element.getValue();
            }
            assertThat(quality.progress()).isEqualTo(before + EDGES + 1);
            assertThat(quality.quality().edges()).isEqualTo(K * before + EDGES + 1);
            assertThat(quality.quality().vertices()).isEqualTo(before + EDGES);
            assertThat(quality.quality().deadLetters()).isEqualTo(before + 1);
            assertThat((quality.quality()).edgeBalance().orElseThrow()).isBetween(1.0, 1.001);
            RunReport report = new RunReport("hdrf", 5, quality.quality(), 1, before);
            assertThat(ReportJson.toPrettyString(report))
                    .containsPattern("\"edges\" *: *" + (K * before + EDGES + 1))
                    .containsPattern("\"vertices\" *: *" + (before + EDGES))
                    .containsPattern("\"deadLetters\" *: *" + (before + 1));
        }
    }

    private static long degreeOf(long vertex, AssignerHarness harness) {
        for (StreamRecord<VertexBatch> rows : harness.getSideOutput(AssignerOperator.FINAL_BOOK)) {
            for (int i = 0; i < rows.getValue().size(); i++) {
                if (rows.getValue().vertex(i) == vertex) {
                    return rows.getValue().degree(i);
                }
            }
        }
        throw new AssertionError("not in the book: " + vertex);
    }

    /**
     * Restores state as if each partition had {@code before} edges, all at one vertex, and as many vertices were known.
     */
    private static OperatorSubtaskState checkpointOf(long before) throws Exception {
        PartitionLoads loads =
                new PartitionLoads(new long[] {before, before, before}, new long[] {before, before, before}, before);
        Totals totals = new Totals(loads, before, before, before);
        try (var harness = new Harness(new Past(totals.toBytes(), hubOf(before)))) {
            harness.setStateBackend(new EmbeddedRocksDBStateBackend());
            harness.setup(ShardBatch.TYPE.serializer());
            harness.open();
            harness.processElement(new StreamRecord<>(new EdgeBatch()));
            return harness.snapshot(1, 1);
        }
    }

    /** Version 1, that degree, master 2, replicas 0, 1 and 2 as differences. */
    private static byte[] hubOf(long degree) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(1);
        for (long rest = degree; ; rest >>>= 7) {
            boolean isLast = rest < 0x80;
            bytes.write((int) (rest & 0x7F) | (isLast ? 0 : 0x80));
            if (isLast) {
                break;
            }
        }
        bytes.writeBytes(new byte[] {3, 3, 0, 0, 0});
        return bytes.toByteArray();
    }

    private static AssignOptions options() {
        return new AssignOptions(HDRF, 1, true, Duration.ofSeconds(1));
    }

    private static final class Harness extends KeyedOneInputStreamOperatorTestHarness<Integer, EdgeBatch, ShardBatch> {
        Harness(OneInputStreamOperator<EdgeBatch, ShardBatch> operator) throws Exception {
            super(operator, batch -> 0, Types.INT, KEY_GROUPS, 1, 0);
        }
    }

    private static AssignerHarness assigner(OperatorSubtaskState state) throws Exception {
        AssignerHarness harness = new AssignerHarness(options(), KEY_GROUPS);
        harness.setStateBackend(new EmbeddedRocksDBStateBackend());
        harness.setup(ShardBatch.TYPE.serializer());
        harness.initializeState(state);
        harness.open();
        return harness;
    }

    /** Leaves the state that an assigner would have left. */
    private static final class Past extends AbstractStreamOperator<ShardBatch>
            implements OneInputStreamOperator<EdgeBatch, ShardBatch> {
        private final byte[] totals;
        private final byte[] hub;
        private transient ListState<byte[]> totalsState;
        private transient KeyedVertexStore store;

        private Past(byte[] totals, byte[] hub) {
            this.totals = totals;
            this.hub = hub;
        }

        @Override
        public void initializeState(StateInitializationContext context) throws Exception {
            super.initializeState(context);
            totalsState = context.getOperatorStateStore()
                    .getListState(new ListStateDescriptor<>("totals", BytePrimitiveArraySerializer.INSTANCE));
            store = new KeyedVertexStore(
                    context.getKeyedStateStore().getMapState(KeyedVertexStore.VERTICES),
                    new VertexBuckets(KEY_GROUPS),
                    this::setCurrentKey);
        }

        @Override
        public void processElement(StreamRecord<EdgeBatch> element) {
            store.write(new long[] {HUB}, new byte[][] {hub}, 1);
        }

        @Override
        public void snapshotState(StateSnapshotContext context) throws Exception {
            super.snapshotState(context);
            totalsState.update(List.of(totals));
        }
    }
}
