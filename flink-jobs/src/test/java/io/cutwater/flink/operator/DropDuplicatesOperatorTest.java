package io.cutwater.flink.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.state.edges.DistinctEdges;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The operator against a set in memory, on RocksDB state that it must ask: its own memory is tiny. */
final class DropDuplicatesOperatorTest {
    private static final int LATEST_EDGES = 50;
    private static final long FILTER_BYTES = 256;
    private static final int PASSES = 2;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 4);
    }

    @ParameterizedTest
    @EnumSource
    void keepsInEveryPassWhatASetInMemoryKeeps(DuplicateRule rule) throws Exception {
        List<EdgeBatch> input = input(7);
        try (Harness harness = open(rule, null)) {
            feed(harness, input, 0, PASSES * input.size());
            harness.endInput();

            assertThat(harness.edges).isEqualTo(expected(input, rule));
            assertThat(harness.duplicates())
                    .isEqualTo(size(input) - expected(input, rule).size() / PASSES);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aRestoreChangesNothing(long seed) throws Exception {
        List<EdgeBatch> input = input(seed);
        int failsAt = new SplittableRandom(seed).nextInt(1, PASSES * input.size());
        List<String> kept = new ArrayList<>();
        OperatorSubtaskState snapshot;
        try (Harness harness = open(DuplicateRule.DIRECTED, null)) {
            feed(harness, input, 0, failsAt);
            harness.prepareSnapshotPreBarrier(1);
            snapshot = harness.snapshot(1, 1);
            kept.addAll(harness.edges);
            // What comes after the barrier is lost with the attempt.
            feed(harness, input, failsAt, Math.min(failsAt + 3, PASSES * input.size()));
        }
        try (Harness harness = open(DuplicateRule.DIRECTED, snapshot)) {
            feed(harness, input, failsAt, PASSES * input.size());
            harness.endInput();
            kept.addAll(harness.edges);

            assertThat(kept).isEqualTo(expected(input, DuplicateRule.DIRECTED));
            assertThat(harness.duplicates())
                    .isEqualTo(size(input)
                            - expected(input, DuplicateRule.DIRECTED).size() / PASSES);
        }
    }

    @Test
    void passesRejectedRecordsThrough() throws Exception {
        try (Harness harness = open(DuplicateRule.DIRECTED, null)) {
            EdgeBatch batch = new EdgeBatch();
            batch.add(1, 1);
            batch.add(1, 1);
            batch.reject(new RejectedRecord("no edge", "f", -1, 3, null, new byte[0]));
            harness.processElement(new StreamRecord<>(batch));

            assertThat(harness.edges).containsExactly("1 1");
            assertThat(harness.rejected).isEqualTo(1);
        }
    }

    /** Takes out of each batch what is in it at once, as the next operator does, for the batch is used again. */
    private static final class Harness extends KeyedOneInputStreamOperatorTestHarness<Integer, EdgeBatch, EdgeBatch> {
        final List<String> edges = new ArrayList<>();
        int rejected;

        Harness(DuplicateRule rule) throws Exception {
            super(new DropDuplicatesOperator(rule, LATEST_EDGES, FILTER_BYTES), batch -> 0, Types.INT, 128, 1, 0);
        }

        @Override
        public void processElement(StreamRecord<EdgeBatch> element) throws Exception {
            super.processElement(element);
            for (Object output : getOutput()) {
                EdgeBatch batch = (EdgeBatch) ((StreamRecord<?>) output).getValue();
                add(batch, edges);
                rejected += batch.rejected().size();
            }
            getOutput().clear();
        }

        long duplicates() {
            return (Long) getEnvironment()
                    .getAccumulatorRegistry()
                    .getUserMap()
                    .get(DropDuplicatesOperator.DUPLICATES)
                    .getLocalValue();
        }
    }

    private static Harness open(DuplicateRule rule, @Nullable OperatorSubtaskState restored) throws Exception {
        Harness harness = new Harness(rule);
        harness.setStateBackend(new EmbeddedRocksDBStateBackend());
        harness.setup(GraphTypes.EDGE_BATCH.serializer());
        if (restored != null) {
            harness.initializeState(restored);
        }
        harness.open();
        return harness;
    }

    private static void feed(Harness harness, List<EdgeBatch> input, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            harness.processElement(
                    new StreamRecord<>(input.get(i % input.size()).setPass(i / input.size())));
        }
    }

    private static List<String> expected(List<EdgeBatch> input, DuplicateRule rule) {
        DistinctEdges inMemory = DistinctEdges.inMemory(rule);
        List<String> once = new ArrayList<>();
        input.forEach(batch -> add(inMemory.of(batch.setPass(0)), once));
        List<String> everyPass = new ArrayList<>();
        for (int pass = 0; pass < PASSES; pass++) {
            everyPass.addAll(once);
        }
        return everyPass;
    }

    private static int size(List<EdgeBatch> input) {
        return input.stream().mapToInt(EdgeBatch::size).sum();
    }

    private static void add(EdgeBatch batch, List<String> edges) {
        for (int i = 0; i < batch.size(); i++) {
            edges.add(batch.source(i) + " " + batch.target(i));
        }
    }

    private static List<EdgeBatch> input(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<EdgeBatch> input = new ArrayList<>();
        for (int b = 0; b < 20; b++) {
            EdgeBatch batch = new EdgeBatch();
            for (int i = random.nextInt(200); i > 0; i--) {
                batch.add(random.nextInt(40) - 20, random.nextInt(40));
            }
            input.add(batch);
        }
        return input;
    }
}
