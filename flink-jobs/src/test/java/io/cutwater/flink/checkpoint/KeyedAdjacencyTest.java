package io.cutwater.flink.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.TestableKeyedStateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kept edges in the keyed state of an operator, against a map. */
final class KeyedAdjacencyTest {
    private static final int MAX_PARALLELISM = 16;
    private static final long[] VERTICES = {0, 1, 2, 255, 256, -1, -128, -129, 1L << 40, Long.MIN_VALUE, Long.MAX_VALUE
    };

    /** Room for a few vertices. */
    private static final long SMALL_CACHE = 1 << 13;

    /** What is shown of a row that was shown in parts. */
    private static final String PARTS = "parts";

    private record Row(long vertex, long neighbour, boolean isOutgoing, int number) {}

    static Stream<StateBackend> backends() {
        return Stream.of(new EmbeddedRocksDBStateBackend(), new HashMapStateBackend());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("backends")
    void usageExample(StateBackend backend) throws Exception {
        try (Harness harness = open(backend, null)) {
            KeyedAdjacency edges = harness.adjacency();
            edges.write(1, 2, true, 0, new byte[] {7});
            edges.write(1, 2, false, 0, new byte[] {8});
            edges.write(2, 1, true, 0, new byte[] {9});
            assertThat(edges.read(1, 2, true, 0)).containsExactly(7);
            edges.flush();
            assertThat(edges.read(1, 2, false, 0)).containsExactly(8);
            assertThat(edges.read(2, 1, false, 0)).isNull();

            edges.write(1, 2, true, 0, null);
            assertThat(edges.read(1, 2, true, 0)).isNull();
            assertThat(rows(edges, 1)).containsOnlyKeys(new Row(1, 2, false, 0));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("backends")
    void equalsAMapAlsoAfterRestores(StateBackend backend) throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Map<Row, String> expected = new HashMap<>();
        OperatorSubtaskState snapshot = null;
        for (int life = 0; life < 4; life++) {
            try (Harness harness = open(backend, snapshot)) {
                KeyedAdjacency edges = harness.adjacency();
                for (int i = 0; i < 500; i++) {
                    change(edges, expected, random);
                    if (random.nextInt(4) == 0) {
                        assertShows(edges, expected, VERTICES[random.nextInt(VERTICES.length)], "seed " + seed);
                    }
                }
                assertHolds(edges, expected, "seed " + seed);
                change(edges, expected, random);
                edges.flush();
                snapshot = harness.snapshot(life, life);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("backends")
    void rescalingMovesVertexRowsWithTheirBucket(StateBackend backend) throws Exception {
        Map<Row, String> expected = new HashMap<>();
        OperatorSubtaskState snapshot;
        try (Harness harness = open(backend, null)) {
            SplittableRandom random = new SplittableRandom(3);
            for (int i = 0; i < 500; i++) {
                change(harness.adjacency(), expected, random);
            }
            harness.adjacency().flush();
            snapshot = harness.snapshot(1, 1);
        }
        VertexBuckets buckets = new VertexBuckets(MAX_PARALLELISM);
        Map<Row, String> found = new HashMap<>();
        for (int subtask = 0; subtask < 2; subtask++) {
            OperatorSubtaskState part = AbstractStreamOperatorTestHarness.repartitionOperatorState(
                    snapshot, MAX_PARALLELISM, 1, 2, subtask);
            try (Harness harness = open(backend, part, 2, subtask)) {
                for (long vertex : VERTICES) {
                    if (buckets.bucket(vertex) / (MAX_PARALLELISM / 2) == subtask) {
                        found.putAll(rows(harness.adjacency(), vertex));
                    }
                }
            }
        }
        assertThat(found).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("backends")
    void aVertexCanChangeWhileItsRowsAreIterated(StateBackend backend) throws Exception {
        int rows = 70_000; // more than gather before they are written
        try (Harness harness = open(backend, null)) {
            KeyedAdjacency edges = harness.adjacency();
            for (int i = 0; i < rows; i++) {
                edges.write(5, i, true, 0, new byte[] {1});
            }
            edges.forEach(5, (vertex, neighbour, isOutgoing, row) -> {
                edges.write(5, neighbour, true, 0, null);
                edges.write(neighbour, 5, false, 0, row);
            });
            assertThat(rows(edges, 5)).containsOnlyKeys(new Row(5, 5, false, 0));
            assertThat(edges.read(rows - 1, 5, false, 0)).containsExactly(1);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("backends")
    void nothingIsLeftWhenEveryRowIsDeleted(StateBackend backend) throws Exception {
        try (Harness harness = open(backend, null)) {
            KeyedAdjacency edges = harness.adjacency();
            for (long vertex : VERTICES) {
                edges.write(vertex, 1, true, 0, new byte[] {1});
            }
            edges.flush();
            assertThat(harness.entries()).isPositive();
            for (long vertex : VERTICES) {
                edges.write(vertex, 1, true, 0, null);
            }
            edges.flush();
            assertThat(harness.entries()).isZero();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("backends")
    void rowsOfAHubGoToFurtherListsAndLeaveNothingThere(StateBackend backend) throws Exception {
        SplittableRandom random = new SplittableRandom(5);
        Map<Row, String> expected = new HashMap<>();
        OperatorSubtaskState snapshot;
        try (Harness harness = open(backend, null)) {
            KeyedAdjacency edges = harness.adjacency();
            for (int write = 0; write < 6; write++) {
                // Up to 64 lists of the first level have more rows than they may in the end.
                int rows = write % 2 == 0 ? 30_000 : 700;
                for (int i = 0; i < rows; i++) {
                    change(edges, expected, new Row(5, random.nextInt(100_000), true, 0), random);
                }
                edges.flush();
            }
            assertThat(rows(edges, 5)).isEqualTo(expected);
            assertThat(harness.entries()).isGreaterThan(64);
            snapshot = harness.snapshot(1, 1);
        }
        try (Harness harness = open(backend, snapshot)) {
            KeyedAdjacency edges = harness.adjacency();
            for (Row row : expected.keySet()) {
                if (random.nextInt(50) == 0) {
                    assertThat(edges.read(5, row.neighbour(), true, 0))
                            .asString()
                            .isEqualTo(expected.get(row));
                }
                edges.write(5, row.neighbour(), true, 0, null);
            }
            edges.flush();
            assertThat(harness.entries()).isZero();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("backends")
    void rowsOfEdgesThatLeadToAVertexAreDeletedTogether(StateBackend backend) throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        Map<Row, String> expected = new HashMap<>();
        try (Harness harness = open(backend, null)) {
            KeyedAdjacency edges = harness.adjacency();
            for (int write = 0; write < 4; write++) {
                for (int i = 0; i < 20_000; i++) {
                    Row row = new Row(random.nextInt(2) * 5, random.nextInt(50_000), random.nextBoolean(), 0);
                    change(edges, expected, row, random);
                }
                edges.flush();
                assertThat(rows(edges, 5)).isNotEmpty(); // some of it may be cached
                edges.deleteIncoming(5);
                edges.deleteIncoming(6); // has no rows
                expected.keySet().removeIf(row -> row.vertex() == 5 && !row.isOutgoing());
                assertShows(edges, expected, 5, "write " + write);
                assertShows(edges, expected, 0, "write " + write);
            }
            expected.keySet().forEach(row -> edges.write(row.vertex(), row.neighbour(), row.isOutgoing(), 0, null));
            edges.flush();
            assertThat(harness.entries()).isZero();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("backends")
    void rowsInFurtherListsAreShownAgainAfterChanges(StateBackend backend) throws Exception {
        SplittableRandom random = new SplittableRandom(6);
        Map<Row, String> expected = new HashMap<>();
        try (Harness harness = open(backend, null)) {
            KeyedAdjacency edges = harness.adjacency();
            for (int round = 0; round < 6; round++) {
                for (int i = 0; i < 5000; i++) { // more at once than stay in the first list
                    change(edges, expected, new Row(5, random.nextInt(6000), true, 0), random);
                }
                assertThat(rows(edges, 5)).isEqualTo(expected);
                edges.append(5, -round, false, 1, "1#7".getBytes(StandardCharsets.US_ASCII));
                expected.put(new Row(5, -round, false, 1), "1#7");
                assertThat(rows(edges, 5)).isEqualTo(expected);
            }
            assertThat(harness.entries()).isGreaterThan(64);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("backends")
    void verticesAreReadAndWrittenWhileEdgesAreWritten(StateBackend backend) throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Map<Row, String> expected = new HashMap<>();
        Map<Long, Byte> expectedVertices = new HashMap<>();
        try (Harness harness = open(backend, null)) {
            KeyedAdjacency edges = harness.adjacency();
            KeyedVertexStore vertices = harness.vertices();
            for (int round = 0; round < 200; round++) {
                // Enough for the thread to let the vertices in between.
                for (int i = 0; i < 400; i++) {
                    Row row = new Row(random.nextInt(2000), random.nextInt(2000), true, 0);
                    change(edges, expected, row, random);
                }
                if (random.nextInt(20) == 0) {
                    edges.flush();
                }
                int count = 1 + random.nextInt(50);
                long[] ids = random.longs(0, 500).distinct().limit(count).toArray();
                byte[][] written = new byte[count][];
                for (int i = 0; i < count; i++) {
                    written[i] = random.nextInt(5) == 0 ? null : new byte[] {(byte) random.nextInt()};
                    if (written[i] == null) {
                        expectedVertices.remove(ids[i]);
                    } else {
                        expectedVertices.put(ids[i], written[i][0]);
                    }
                }
                vertices.write(ids, written, count);
                Arrays.fill(ids, 0); // they are the caller's again
                byte[][] read = new byte[500][];
                long[] all = LongStream.range(0, 500).toArray();
                vertices.startRead(all, 500, read);
                if (random.nextInt(10) == 0) {
                    Row row = expected.keySet().iterator().next();
                    assertThat(edges.read(row.vertex(), row.neighbour(), true, 0))
                            .asString()
                            .isEqualTo(expected.get(row));
                }
                vertices.await();
                for (int i = 0; i < 500; i++) {
                    Byte value = expectedVertices.get((long) i);
                    assertThat(read[i]).as("seed %d", seed).isEqualTo(value == null ? null : new byte[] {value});
                }
            }
            Map<Row, String> found = new HashMap<>();
            for (long vertex = 0; vertex < 2000; vertex++) {
                found.putAll(rows(edges, vertex));
            }
            assertThat(found).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private static void change(KeyedAdjacency edges, Map<Row, String> expected, SplittableRandom random) {
        long vertex = VERTICES[random.nextInt(VERTICES.length)];
        long neighbour = VERTICES[random.nextInt(VERTICES.length)] + random.nextInt(3);
        Row row = new Row(vertex, neighbour, random.nextBoolean(), random.nextInt(3));
        change(edges, expected, row, random);
        if (random.nextInt(50) == 0) {
            edges.flush();
        }
    }

    private static void change(KeyedAdjacency edges, Map<Row, String> expected, Row row, SplittableRandom random) {
        if (random.nextInt(3) == 0) {
            expected.remove(row);
            edges.write(row.vertex(), row.neighbour(), row.isOutgoing(), row.number(), null);
            return;
        }
        String value = row.number() + "#" + random.nextInt(1000);
        byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
        if (random.nextBoolean()) {
            expected.merge(row, value, String::concat);
            edges.append(row.vertex(), row.neighbour(), row.isOutgoing(), row.number(), bytes);
        } else {
            expected.put(row, value);
            edges.write(row.vertex(), row.neighbour(), row.isOutgoing(), row.number(), bytes);
        }
    }

    private static void assertShows(KeyedAdjacency edges, Map<Row, String> expected, long vertex, String seed) {
        Map<Row, String> ofVertex = new HashMap<>(expected);
        ofVertex.keySet().removeIf(row -> row.vertex() != vertex);
        assertThat(rows(edges, vertex)).as(seed).isEqualTo(ofVertex);
    }

    private static void assertHolds(KeyedAdjacency edges, Map<Row, String> expected, String seed) {
        expected.forEach(
                (row, value) -> assertThat(edges.read(row.vertex(), row.neighbour(), row.isOutgoing(), row.number()))
                        .as(seed)
                        .asString()
                        .isEqualTo(value));
        Map<Row, String> found = new HashMap<>();
        for (long vertex : VERTICES) {
            found.putAll(rows(edges, vertex));
        }
        assertThat(found).as(seed).isEqualTo(expected);
    }

    private static String read(KeyedAdjacency edges, Row row) {
        byte[] bytes = edges.read(row.vertex(), row.neighbour(), row.isOutgoing(), row.number());
        return new String(Objects.requireNonNull(bytes), StandardCharsets.US_ASCII);
    }

    private static Map<Row, String> rows(KeyedAdjacency edges, long of) {
        Map<Row, String> rows = new HashMap<>();
        edges.forEach(of, (vertex, neighbour, isOutgoing, row) -> {
            String value = new String(row, StandardCharsets.US_ASCII);
            int number = value.contains("#") ? Integer.parseInt(value.substring(0, value.indexOf('#'))) : 0;
            rows.merge(new Row(vertex, neighbour, isOutgoing, number), value, (one, other) -> PARTS);
        });
        rows.replaceAll((row, value) -> value.equals(PARTS) ? read(edges, row) : value);
        return rows;
    }

    private static Harness open(StateBackend backend, @Nullable OperatorSubtaskState restored) throws Exception {
        return open(backend, restored, 1, 0);
    }

    private static Harness open(
            StateBackend backend, @Nullable OperatorSubtaskState restored, int parallelism, int subtask)
            throws Exception {
        Harness harness = new Harness(backend instanceof EmbeddedRocksDBStateBackend, parallelism, subtask);
        harness.setStateBackend(backend);
        harness.setup(IntSerializer.INSTANCE);
        if (restored != null) {
            harness.initializeState(restored);
        }
        harness.open();
        return harness;
    }

    private static final class Harness extends KeyedOneInputStreamOperatorTestHarness<Integer, Integer, Integer> {
        Harness(boolean hasThread, int parallelism, int subtask) throws Exception {
            super(new KeepingOperator(hasThread), key -> key, Types.INT, MAX_PARALLELISM, parallelism, subtask);
        }

        KeyedAdjacency adjacency() {
            return ((KeepingOperator) getOperator()).adjacency;
        }

        KeyedVertexStore vertices() {
            return ((KeepingOperator) getOperator()).vertices;
        }

        int entries() {
            ((KeepingOperator) getOperator()).thread.await();
            TestableKeyedStateBackend<?> backend =
                    (TestableKeyedStateBackend<?>) ((KeepingOperator) getOperator()).getKeyedStateBackend();
            return backend.numKeyValueStateEntries();
        }
    }

    /** Holds kept edges and does nothing with them. */
    private static final class KeepingOperator extends AbstractStreamOperator<Integer>
            implements OneInputStreamOperator<Integer, Integer> {
        private final boolean hasThread;
        transient StateThread thread;
        transient KeyedAdjacency adjacency;
        transient KeyedVertexStore vertices;

        KeepingOperator(boolean hasThread) {
            this.hasThread = hasThread;
        }

        @Override
        public void initializeState(StateInitializationContext context) throws Exception {
            super.initializeState(context);
            thread = new StateThread("kept edges");
            StateThread used = hasThread ? thread : null;
            VertexBuckets buckets = new VertexBuckets(MAX_PARALLELISM);
            adjacency = KeyedAdjacency.over(
                    getKeyedStateBackend(), buckets, this::setCurrentKey, used, hasThread ? 1 << 20 : SMALL_CACHE);
            vertices = new KeyedVertexStore(
                    context.getKeyedStateStore().getMapState(KeyedVertexStore.VERTICES),
                    buckets,
                    this::setCurrentKey,
                    used);
        }

        @Override
        public void snapshotState(StateSnapshotContext context) throws Exception {
            thread.await();
            super.snapshotState(context);
        }

        @Override
        public void close() throws Exception {
            thread.close();
            super.close();
        }

        @Override
        public void processElement(StreamRecord<Integer> element) {}
    }
}
