package io.cutwater.flink.operator.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The operator against the plain loop, on RocksDB state. */
final class AssignerOverOwnStateTest {
    private static final int K = 7;
    private static final long SMALLEST_CACHE = 1;

    private final List<EdgeBatch> input = RandomBatches.of(300, 11, 40, 100);

    static Stream<String> algorithms() {
        return Algorithms.names(PartitioningKind.EDGE).stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void placesAsThePlainLoopDoes(String algorithm) throws Exception {
        try (var harness = open(algorithm, 1 << 20, null)) {
            feed(harness, algorithm, 0);
            harness.endInput();
            assertThat(harness.shards()).isEqualTo(reference(algorithm).shards);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void aCacheOfSixteenVerticesChangesNothing(String algorithm) throws Exception {
        try (var harness = open(algorithm, SMALLEST_CACHE, null)) {
            feed(harness, algorithm, 0);
            harness.endInput();
            assertThat(harness.shards()).isEqualTo(reference(algorithm).shards);
        }
    }

    /** One for each algorithm in turn; in a campaign each for all. */
    static Stream<Arguments> failingBatches() {
        List<String> names = algorithms().toList();
        int[] batches = {1, 13, 39};
        return IntStream.range(0, batches.length * names.size())
                .filter(i -> i < names.size() || Integer.getInteger("cutwater.seeds") != null)
                .mapToObj(i -> Arguments.of(
                        names.get(i % names.size()), batches[(i % names.size() + i / names.size()) % batches.length]));
    }

    @ParameterizedTest(name = "{0}, batch {1}")
    @MethodSource("failingBatches")
    void aRestoreChangesNothing(String algorithm, int failingBatch) throws Exception {
        Map<Integer, List<String>> before;
        OperatorSubtaskState snapshot;
        try (var harness = open(algorithm, SMALLEST_CACHE, null)) {
            feed(harness, algorithm, 0, failingBatch);
            harness.prepareSnapshotPreBarrier(1);
            snapshot = harness.snapshot(1, 1);
            before = harness.shards();
            // What comes after the barrier is lost with the attempt.
            feed(harness, algorithm, failingBatch, failingBatch + 1);
        }
        try (var harness = open(algorithm, SMALLEST_CACHE, snapshot)) {
            feed(harness, algorithm, failingBatch);
            harness.endInput();
            Map<Integer, List<String>> after = harness.shards();
            before.forEach((shard, edges) -> after.merge(shard, edges, (late, early) -> {
                List<String> all = new ArrayList<>(early);
                all.addAll(late);
                return all;
            }));
            assertThat(after).isEqualTo(reference(algorithm).shards);
            assertThat(harness.quality()).isEqualTo(reference(algorithm).quality);
        }
    }

    @Test
    void theFinalBookListsEveryVertexWithDegreeMasterAndReplicas() throws Exception {
        try (var harness = open("hash", SMALLEST_CACHE, null)) {
            feed(harness, "hash", 0);
            harness.endInput();
            Reference reference = reference("hash");
            Map<Long, String> book = new HashMap<>();
            for (StreamRecord<VertexBatch> rows : harness.getSideOutput(AssignerOperator.FINAL_BOOK)) {
                read(rows.getValue(), book);
            }
            assertThat(book).isEqualTo(reference.book);
        }
    }

    @Test
    void emitsBookChangesBeforeTheBarrier() throws Exception {
        try (var harness = open("hash", 1 << 20, null)) {
            feed(harness, "hash", 0);
            assertThat(harness.getSideOutput(AssignerOperator.BOOK_CHANGES)).isNull();
            harness.prepareSnapshotPreBarrier(1);
            Map<Long, String> book = new HashMap<>();
            for (StreamRecord<VertexBatch> rows : harness.getSideOutput(AssignerOperator.BOOK_CHANGES)) {
                read(rows.getValue(), book);
            }
            assertThat(book).isEqualTo(reference("hash").book);
            harness.getSideOutput(AssignerOperator.BOOK_CHANGES).clear();
            harness.prepareSnapshotPreBarrier(2);
            assertThat(harness.getSideOutput(AssignerOperator.BOOK_CHANGES)).isEmpty();
        }
    }

    @Test
    void emitsEveryVertexOnceAfterACheckpointWithoutDegrees() throws Exception {
        OperatorSubtaskState snapshot;
        AssignOptions silent =
                new AssignOptions(PartitionerOptions.ofEdges("hash", K, 5), 1 << 20, false, Duration.ofSeconds(1));
        try (var harness = AssignerHarness.open(silent, null)) {
            feed(harness, "hash", 0);
            harness.prepareSnapshotPreBarrier(1);
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = open("hash", 1 << 20, snapshot)) {
            harness.prepareSnapshotPreBarrier(2);
            Map<Long, String> book = new HashMap<>();
            for (StreamRecord<VertexBatch> rows : harness.getSideOutput(AssignerOperator.BOOK_CHANGES)) {
                read(rows.getValue(), book);
            }
            assertThat(book).isEqualTo(reference("hash").book);
            snapshot = harness.snapshot(2, 2);
        }
        try (var harness = open("hash", 1 << 20, snapshot)) {
            harness.prepareSnapshotPreBarrier(3);
            assertThat(harness.getSideOutput(AssignerOperator.BOOK_CHANGES)).isNull();
        }
    }

    @Test
    void rejectedRecordsBecomeDeadLettersAndAreCountedOnce() throws Exception {
        RejectedRecord rejected = new RejectedRecord("not an edge", "f", -1, 3, null, new byte[] {1});
        try (var harness = open("hash", 1 << 20, null)) {
            EdgeBatch batch = new EdgeBatch();
            batch.add(1, 2);
            batch.reject(rejected);
            harness.processElement(new StreamRecord<>(batch));
            EdgeBatch secondPass = new EdgeBatch().setPass(1);
            secondPass.reject(rejected);
            harness.processElement(new StreamRecord<>(secondPass));
            harness.endInput();
            assertThat(harness.getSideOutput(AssignerOperator.DEAD_LETTERS))
                    .extracting(StreamRecord::getValue)
                    .containsExactly(rejected);
            assertThat(harness.quality().deadLetters()).isEqualTo(1);
        }
    }

    @Test
    void keepsThePlacesOfABulkRunAlsoAfterARestore() throws Exception {
        PartitionerOptions bulk = PartitionerOptions.ofEdges("cutwater", K, 5, PassMode.BULK, Map.of());
        AssignOptions recording = new AssignOptions(bulk, SMALLEST_CACHE, true, Duration.ofSeconds(1));
        Reference hdrf = reference("hdrf");
        List<EdgeBatch> placed = placedBy("hdrf");
        Map<Integer, List<String>> shards;
        OperatorSubtaskState snapshot;
        try (var harness = AssignerHarness.open(recording, null)) {
            for (EdgeBatch batch : placed.subList(0, 20)) {
                harness.processElement(new StreamRecord<>(batch));
            }
            harness.prepareSnapshotPreBarrier(1);
            snapshot = harness.snapshot(1, 1);
            shards = harness.shards();
        }
        try (var harness = AssignerHarness.open(recording, snapshot)) {
            for (EdgeBatch batch : placed.subList(20, placed.size())) {
                harness.processElement(new StreamRecord<>(batch));
            }
            harness.endInput();
            harness.shards()
                    .forEach((shard, edges) -> shards.computeIfAbsent(shard, s -> new ArrayList<>())
                            .addAll(edges));
            assertThat(shards).isEqualTo(hdrf.shards);
            assertThat(harness.quality()).isEqualTo(hdrf.quality);
        }
    }

    private void feed(AssignerHarness harness, String algorithm, int from) throws Exception {
        feed(harness, algorithm, from, input.size());
    }

    /** Feeds the placing pass's batches; every earlier pass comes whole before its first one. */
    private void feed(AssignerHarness harness, String algorithm, int from, int to) throws Exception {
        int placingPass =
                Algorithms.edgePartitioner(options(algorithm, 1).partitioner()).preparationPasses();
        for (int pass = from == 0 ? 0 : placingPass; pass <= placingPass; pass++) {
            int end = pass < placingPass ? input.size() : to;
            for (EdgeBatch batch : input.subList(from, end)) {
                harness.processElement(new StreamRecord<>(batch.setPass(pass)));
            }
        }
    }

    private record Reference(Map<Integer, List<String>> shards, Map<Long, String> book, Quality quality) {}

    private Reference reference(String algorithm) {
        EdgePartitioner partitioner =
                Algorithms.edgePartitioner(options(algorithm, 1).partitioner());
        VertexTable vertices = new VertexTable(partitioner.layout(K));
        PartitionLoads loads = new PartitionLoads(K);
        Placement assigner = new Placement(partitioner, vertices, loads);
        Map<Integer, List<String>> shards = new HashMap<>();
        TreeSet<Long> ids = new TreeSet<>();
        PlacedEdges placed = (source, target, weight, timestamp, key, place) -> {
            shards.computeIfAbsent(Place.ofSource(place), p -> new ArrayList<>())
                    .add(source + " " + target);
            ids.add(source);
            ids.add(target);
        };
        for (int pass = 0; pass <= partitioner.preparationPasses(); pass++) {
            for (EdgeBatch batch : input) {
                assigner.accept(batch.setPass(pass), placed);
            }
        }
        assigner.placeHeld(placed);
        VertexBatch rows = new VertexBatch();
        ids.forEach(id -> vertices.appendTo(rows, vertices.slot(id)));
        Map<Long, String> book = new HashMap<>();
        read(rows, book);
        return new Reference(shards, book, Quality.of(loads, 0));
    }

    /** The input with the places that an algorithm of one pass gives its edges. */
    private List<EdgeBatch> placedBy(String algorithm) {
        EdgePartitioner partitioner =
                Algorithms.edgePartitioner(options(algorithm, 1).partitioner());
        Placement assigner = new Placement(partitioner, new VertexTable(partitioner.layout(K)), new PartitionLoads(K));
        List<EdgeBatch> placed = new ArrayList<>();
        for (EdgeBatch batch : input) {
            EdgeBatch copy = new EdgeBatch();
            assigner.accept(batch, (source, target, weight, timestamp, key, place) -> {
                copy.addFrom(batch, copy.size());
                copy.setPlace(copy.size() - 1, place);
            });
            placed.add(copy);
        }
        return placed;
    }

    private static AssignOptions options(String algorithm, long cacheBytes) {
        // Fewer edges than the input has, so that some go before its end.
        PartitionerOptions options = algorithm.equals("cutwater")
                ? PartitionerOptions.ofEdges(algorithm, K, 5, PassMode.LIVE, Map.of("window", "40"))
                : PartitionerOptions.ofEdges(algorithm, K, 5, PassMode.BULK, settings(algorithm));
        return new AssignOptions(options, cacheBytes, true, Duration.ofSeconds(1));
    }

    /** Clusters of the stream, for those of high modularity are made in the source. */
    private static Map<String, String> settings(String algorithm) {
        return algorithm.equals("sigma-edge") ? Map.of("clustering", "edge-stream") : Map.of();
    }

    private static AssignerHarness open(String algorithm, long cacheBytes, OperatorSubtaskState restored)
            throws Exception {
        return AssignerHarness.open(options(algorithm, cacheBytes), restored);
    }

    private static void read(VertexBatch rows, Map<Long, String> book) {
        for (int i = 0; i < rows.size(); i++) {
            StringBuilder row =
                    new StringBuilder().append(rows.degree(i)).append(" ").append(rows.master(i));
            for (int r = rows.replicasFrom(i); r < rows.replicasFrom(i + 1); r++) {
                row.append(" ").append(rows.replicas()[r]);
            }
            book.put(rows.vertex(i), row.toString());
        }
    }
}
