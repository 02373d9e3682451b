package io.cutwater.flink.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.connector.input.Expiry;
import io.cutwater.state.graph.EdgeBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExpireEdgesOperatorTest {
    private static final long TTL = 10_000;
    private static final long TICK = ExpireEdgesOperator.TICK_MILLIS;
    private static final int PER_TICK = ExpireEdgesOperator.EDGES_PER_TICK;
    private static final long SLICE = 100;
    private static final Expiry BY_ARRIVAL = new Expiry(Duration.ofMillis(TTL), null);
    private static final Expiry BY_TIMESTAMP = new Expiry(Duration.ofMillis(TTL), TimeUnit.MILLISECONDS);

    /** Takes out of each batch what is in it at once, as the next operator does, for the batch is used again. */
    private static final class Harness extends EdgeBatchHarness {
        Harness(Expiry expiry, @Nullable OperatorSubtaskState restored, long now) throws Exception {
            super(new ExpireEdgesOperator(expiry), BUCKETS);
            setProcessingTime(now);
            if (restored != null) {
                initializeState(restored);
            }
            open();
        }

        void add(EdgeBatch batch) throws Exception {
            processElement(new StreamRecord<>(batch));
        }

        /** What was handed on since the last call, the clock being advanced tick by tick. */
        List<String> until(long time) throws Exception {
            List<String> rows = new ArrayList<>();
            drain(rows);
            while (getProcessingTime() + TICK <= time) {
                setProcessingTime(getProcessingTime() + TICK);
                drain(rows);
            }
            return rows;
        }

        private void drain(List<String> rows) {
            for (Object output : getOutput()) {
                EdgeBatch batch = (EdgeBatch) ((StreamRecord<?>) output).getValue();
                for (int i = 0; i < batch.size(); i++) {
                    rows.add((batch.isVertexRemoval(i) ? "x" : batch.isRemoval(i) ? "-" : "+")
                            + (batch.hasKeys() ? "key " + batch.key(i) : batch.source(i) + " " + batch.target(i)));
                }
            }
            getOutput().clear();
        }

        List<String> stored(String name) throws Exception {
            var backend = ((ExpireEdgesOperator) getOneInputOperator()).getKeyedStateBackend();
            backend.setCurrentKey(0);
            MapState<Long, byte[]> state = backend.getPartitionedState(
                    VoidNamespace.INSTANCE,
                    VoidNamespaceSerializer.INSTANCE,
                    new MapStateDescriptor<>(name, LongSerializer.INSTANCE, BytePrimitiveArraySerializer.INSTANCE));
            List<String> bytes = new ArrayList<>();
            for (byte[] value : state.values()) {
                bytes.add(HexFormat.of().formatHex(value));
            }
            return bytes;
        }
    }

    private static EdgeBatch edges(int first, int count) {
        EdgeBatch batch = new EdgeBatch();
        for (int i = first; i < first + count; i++) {
            batch.add(i, -i);
        }
        return batch;
    }

    private static EdgeBatch row(long source, long target, long timestamp, boolean isRemoval) {
        EdgeBatch batch = new EdgeBatch();
        batch.add(source, target, Double.NaN, timestamp);
        if (isRemoval) {
            batch.setRemoval(0);
        }
        return batch;
    }

    private static EdgeBatch keyed(long key, long timestamp, boolean isRemoval) {
        EdgeBatch batch = row(1, 2, timestamp, isRemoval);
        batch.setKey(0, key);
        return batch;
    }

    @Test
    void edgesLeaveInTheOrderInWhichTheyCame() throws Exception {
        try (Harness harness = new Harness(BY_ARRIVAL, null, 0)) {
            harness.add(edges(1, 2));
            assertThat(harness.until(500)).containsExactly("+1 -1", "+2 -2");
            harness.add(edges(1, 1));
            assertThat(harness.until(TTL)).containsExactly("+1 -1");
            assertThat(harness.until(TTL + SLICE)).containsExactly("-1 -1", "-2 -2");
            assertThat(harness.until(TTL + 500)).isEmpty();
            assertThat(harness.until(TTL + 500 + SLICE)).containsExactly("-1 -1");
            assertThat(harness.until(3 * TTL)).isEmpty();
        }
    }

    @Test
    void edgesLeaveInTheOrderOfTheirTimestampsAndLateOnesDoNotEnter() throws Exception {
        long now = 5 * TTL;
        try (Harness harness = new Harness(BY_TIMESTAMP, null, now)) {
            harness.add(row(1, 2, now - 1_000, false));
            harness.add(row(3, 4, now - 2_000, false));
            harness.add(row(5, 6, now + 1_000_000, false));
            harness.add(row(7, 8, EdgeBatch.NO_TIMESTAMP, false));
            harness.add(row(9, 9, now - TTL, false));
            harness.add(row(9, 9, -3, false));
            assertThat(harness.until(now)).containsExactly("+1 2", "+3 4", "+5 6", "+7 8");
            assertThat(harness.until(now + TTL - 2_000)).isEmpty();
            assertThat(harness.until(now + TTL - 1_000)).containsExactly("-3 4");
            assertThat(harness.until(now + TTL)).containsExactly("-1 2");
            assertThat(harness.until(now + TTL + SLICE)).containsExactly("-5 6", "-7 8");
        }
    }

    @Test
    void aRecordOfItsKeyRenewsAnEdge() throws Exception {
        try (Harness harness = new Harness(BY_TIMESTAMP, null, 2 * TTL)) {
            harness.add(keyed(7, 2 * TTL, false));
            harness.add(keyed(8, 2 * TTL, false));
            harness.add(keyed(9, 2 * TTL, false));
            assertThat(harness.until(3 * TTL - TICK)).containsExactly("+key 7", "+key 8", "+key 9");
            harness.add(keyed(7, 3 * TTL - TICK, false));
            harness.add(keyed(8, 0, true));
            assertThat(harness.until(3 * TTL + SLICE)).containsExactly("+key 7", "-key 8", "-key 9");
            // A late record of a key still replaces the edge.
            harness.add(keyed(7, 5, false));
            harness.add(keyed(9, 5, false));
            assertThat(harness.until(5 * TTL)).containsExactly("-key 7");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void theGraphIsTheWindowWhateverIsRemovedAndRestored(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        Expiry expiry = seed % 2 == 0 ? BY_ARRIVAL : BY_TIMESTAMP;
        Map<String, Integer> graph = new TreeMap<>();
        Twin twin = new Twin();
        Harness harness = new Harness(expiry, null, 2 * TTL);
        try {
            int largest = 0;
            for (int step = 0; step < 400; step++) {
                long now = harness.getProcessingTime();
                long source = random.nextInt(3);
                long time = now - random.nextLong(TTL + TTL / 8);
                boolean isRemoval = random.nextInt(3) == 0;
                if (random.nextInt(40) == 0) {
                    EdgeBatch vertex = new EdgeBatch();
                    vertex.add(source, source);
                    vertex.setVertexRemoval(0);
                    harness.add(vertex);
                    twin.forget(source);
                } else {
                    harness.add(row(source, 0, time, isRemoval));
                    twin.accept(source + " 0", expiry.unit() == null ? now : time, now, isRemoval);
                }
                long next = now + TICK * random.nextInt(12);
                harness.until(next).forEach(row -> apply(graph, row));
                twin.advance(next);
                assertThat(graph).as("step %d", step).isEqualTo(twin.graph());
                largest = Math.max(
                        largest, graph.values().stream().mapToInt(n -> n).sum());
                if (step % 100 == 99) {
                    OperatorSubtaskState snapshot = harness.snapshot(step, step);
                    harness.add(row(1, 1, next, false)); // lost with the attempt
                    harness.close();
                    harness = new Harness(expiry, snapshot, next);
                }
            }
            assertThat(largest).isGreaterThan(5);
            harness.until(harness.getProcessingTime() + 2 * TTL).forEach(row -> apply(graph, row));
            assertThat(graph).isEmpty();
            assertThat(harness.stored("removed-edges")).isEmpty();
            assertThat(harness.stored("chunks")).isEmpty();
        } finally {
            harness.close();
        }
    }

    /** A removal of an edge that is not there changes nothing. */
    private static void apply(Map<String, Integer> graph, String row) {
        if (row.startsWith("x")) {
            String vertex = row.substring(1, row.indexOf(' '));
            graph.keySet().removeIf(edge -> vertex.equals("0") || edge.startsWith(vertex + " "));
            return;
        }
        boolean isRemoval = row.startsWith("-");
        graph.compute(row.substring(1), (edge, count) -> {
            int after = (count == null ? 0 : count) + (isRemoval ? -1 : 1);
            return after <= 0 ? null : after;
        });
    }

    /** The copies that are there: a removal takes the one that would leave first. */
    private static final class Twin {
        private record Copy(String edge, long end) {}

        private final List<Copy> copies = new ArrayList<>();

        void accept(String edge, long time, long now, boolean isRemoval) {
            if (isRemoval) {
                copies.stream()
                        .filter(copy -> copy.edge().equals(edge))
                        .min(Comparator.comparingLong(Copy::end))
                        .ifPresent(copies::remove);
            } else if (time > now - TTL) {
                copies.add(new Copy(edge, Math.floorDiv(time, SLICE) * SLICE + SLICE));
            }
        }

        void forget(long source) {
            copies.removeIf(copy -> source == 0 || copy.edge().startsWith(source + " "));
        }

        void advance(long now) {
            copies.removeIf(copy -> copy.end() + TTL <= now);
        }

        Map<String, Integer> graph() {
            Map<String, Integer> graph = new TreeMap<>();
            copies.forEach(copy -> graph.merge(copy.edge(), 1, Integer::sum));
            return graph;
        }
    }

    @Test
    void noMoreLeaveAtATimeThanTheRateAllows() throws Exception {
        OperatorSubtaskState snapshot;
        int batches = 5;
        try (Harness harness = new Harness(BY_ARRIVAL, null, 0)) {
            for (int i = 0; i < batches; i++) {
                harness.add(edges(i * PER_TICK, PER_TICK));
            }
            snapshot = harness.snapshot(1, 1);
        }
        try (Harness harness = new Harness(BY_ARRIVAL, snapshot, 2 * TTL)) {
            assertThat(harness.until(2 * TTL + TICK)).hasSize(PER_TICK);
            harness.add(edges(0, PER_TICK));
            assertThat(harness.until(2 * TTL + 2 * TICK))
                    .as("what has come, and twice as many")
                    .hasSize(PER_TICK + 2 * PER_TICK);
            assertThat(harness.until(2 * TTL + 3 * TICK)).hasSize(PER_TICK);
            assertThat(harness.until(2 * TTL + 4 * TICK)).hasSize(PER_TICK);
            assertThat(harness.until(2 * TTL + 9 * TICK)).isEmpty();
        }
    }

    @Test
    void theStateHasTheseBytes() throws Exception {
        try (Harness harness = new Harness(BY_ARRIVAL, null, 0)) {
            harness.add(row(7, 300, EdgeBatch.NO_TIMESTAMP, false));
            harness.add(row(7, 300, EdgeBatch.NO_TIMESTAMP, true));
            harness.add(keyed(9, EdgeBatch.NO_TIMESTAMP, false));
            harness.snapshot(1, 1);
            assertThat(harness.stored("chunks")).containsExactly("01" + "01" + "0007ac02" + "0507ac02" + "0609");
            assertThat(harness.stored("removed-edges")).containsExactly("01" + "07ac0201");
        }
    }

    @Test
    void aJobThatBeganWithoutItOrWithAnotherTimeIsRefused() throws Exception {
        assertThatThrownBy(() ->
                        new Harness(BY_ARRIVAL, OperatorSubtaskState.builder().build(), 0))
                .rootCause()
                .hasMessageContaining("the job began without --ttl");
        OperatorSubtaskState snapshot;
        try (Harness harness = new Harness(BY_ARRIVAL, null, 0)) {
            snapshot = harness.snapshot(1, 1);
        }
        assertThatThrownBy(() -> new Harness(new Expiry(Duration.ofMillis(TTL + 1), null), snapshot, 0))
                .rootCause()
                .hasMessageContaining("the job began with --ttl 10000ms");
    }
}
