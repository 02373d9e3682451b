package io.cutwater.flink.operator.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.types.quality.JobQuality;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The operator against the plain loop where vertices are partitioned, on RocksDB state. */
final class AssignVerticesTest {
    private static final int K = 7;
    private static final long SMALLEST_CACHE = 1;
    private static final long LARGE_CACHE = 1 << 20;

    private final List<EdgeBatch> input = RandomBatches.of(900, 11, 40, 100);

    static Stream<String> algorithms() {
        return Algorithms.names(PartitioningKind.VERTEX, PassMode.LIVE).stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void placesAsThePlainLoopDoes(String algorithm) throws Exception {
        for (long cacheBytes : new long[] {LARGE_CACHE, SMALLEST_CACHE}) {
            try (var harness = open(algorithm, cacheBytes, null)) {
                feed(harness, 0, input.size());
                harness.endInput();
                Reference reference = reference(algorithm);
                assertThat(shards(harness)).isEqualTo(reference.shards);
                assertThat(lastQuality(harness)).isEqualTo(reference.quality);
                assertThat(book(harness.getSideOutput(AssignerOperator.FINAL_BOOK)))
                        .isEqualTo(reference.book());
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void aRestoreChangesNothing(String algorithm) throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int failingBatch : new int[] {1, random.nextInt(2, 39), 39}) {
            Map<Integer, List<String>> all;
            OperatorSubtaskState snapshot;
            try (var harness = open(algorithm, SMALLEST_CACHE, null)) {
                feed(harness, 0, failingBatch);
                harness.prepareSnapshotPreBarrier(1);
                snapshot = harness.snapshot(1, 1);
                all = shards(harness);
                // What comes after the barrier is lost with the attempt.
                feed(harness, failingBatch, failingBatch + 1);
            }
            try (var harness = open(algorithm, SMALLEST_CACHE, snapshot)) {
                feed(harness, failingBatch, input.size());
                harness.endInput();
                shards(harness)
                        .forEach((shard, edges) -> all.computeIfAbsent(shard, s -> new ArrayList<>())
                                .addAll(edges));
                assertThat(all).as("seed %d, batch %d", seed, failingBatch).isEqualTo(reference(algorithm).shards);
                assertThat(lastQuality(harness)).isEqualTo(reference(algorithm).quality);
                assertThat(book(harness.getSideOutput(AssignerOperator.FINAL_BOOK)))
                        .isEqualTo(reference(algorithm).book());
            }
        }
    }

    @Test
    void keepsTheOwnersOfPlacedEdges() throws Exception {
        PartitionerOptions bulk = PartitionerOptions.ofVertices("spring", K, 5, PassMode.BULK, Map.of());
        try (var harness = AssignerHarness.open(options(bulk, SMALLEST_CACHE), null)) {
            for (EdgeBatch batch : input) {
                for (int i = 0; i < batch.size(); i++) {
                    batch.setPlace(i, Place.of(owner(batch.source(i)), owner(batch.target(i))));
                }
            }
            feed(harness, 0, input.size());
            harness.endInput();
            Map<Integer, List<String>> expected = new TreeMap<>();
            for (EdgeBatch batch : input) {
                for (int i = 0; i < batch.size(); i++) {
                    String edge = edge(batch.source(i), batch.target(i), batch.place(i));
                    add(expected, Place.ofSource(batch.place(i)), edge);
                    if (Place.ofSource(batch.place(i)) != Place.ofTarget(batch.place(i))) {
                        add(expected, Place.ofTarget(batch.place(i)), edge);
                    }
                }
            }
            assertThat(shards(harness)).isEqualTo(expected);
        }
    }

    private static int owner(long vertex) {
        return (int) Math.floorMod(vertex, K);
    }

    @Test
    void anEdgeWaitsAtMostForTheLimit() throws Exception {
        try (var harness = AssignerHarness.open(options(live("cutwater"), SMALLEST_CACHE), null)) {
            EdgeBatch batch = new EdgeBatch();
            batch.add(1, 2);
            harness.setProcessingTime(10);
            harness.processElement(new StreamRecord<>(batch));
            harness.prepareSnapshotPreBarrier(1);
            assertThat(shards(harness)).isEmpty();
            harness.setProcessingTime(1010);
            harness.prepareSnapshotPreBarrier(2);
            assertThat(shards(harness)).isNotEmpty();
            assertThat(lastQuality(harness).edges()).isEqualTo(1);
        }
    }

    private record Reference(Map<Integer, List<String>> shards, Quality quality, VertexTable vertices) {
        Map<Long, String> book() {
            TreeMap<Long, String> book = new TreeMap<>();
            VertexBatch rows = new VertexBatch();
            shards.values().stream().flatMap(List::stream).forEach(edge -> {
                for (int end = 0; end < 2; end++) {
                    long vertex = Long.parseLong(edge.split(" ")[end]);
                    if (book.put(vertex, "") == null) {
                        vertices.appendTo(rows, vertices.slot(vertex));
                    }
                }
            });
            read(rows, book);
            return book;
        }
    }

    private Reference reference(String algorithm) {
        PartitionerOptions options = live(algorithm);
        VertexTable vertices = new VertexTable(
                Algorithms.get(PartitioningKind.VERTEX, options.algorithm()).layout(options));
        Placement assigner = new Placement(Algorithms.vertexRule(options), vertices, new PartitionLoads(K));
        Map<Integer, List<String>> shards = new TreeMap<>();
        PlacedEdges placed = (source, target, weight, timestamp, key, place) -> {
            add(shards, Place.ofSource(place), edge(source, target, place));
            if (Place.ofTarget(place) != Place.ofSource(place)) {
                add(shards, Place.ofTarget(place), edge(source, target, place));
            }
        };
        input.forEach(batch -> assigner.accept(batch, placed));
        assigner.placeHeld(placed);
        return new Reference(shards, assigner.quality(0), vertices);
    }

    private static void add(Map<Integer, List<String>> shards, int shard, String edge) {
        shards.computeIfAbsent(shard, s -> new ArrayList<>()).add(edge);
    }

    private static PartitionerOptions live(String algorithm) {
        // Fewer edges than the input has, so that some go before its end.
        Map<String, String> settings = algorithm.equals("hash") ? Map.of() : Map.of("window", "300");
        return PartitionerOptions.ofVertices(algorithm, K, 5, PassMode.LIVE, settings);
    }

    private static AssignOptions options(PartitionerOptions partitioner, long cacheBytes) {
        return new AssignOptions(partitioner, cacheBytes, true, Duration.ofSeconds(1), Duration.ofSeconds(1), false);
    }

    private static AssignerHarness open(String algorithm, long cacheBytes, OperatorSubtaskState restored)
            throws Exception {
        return AssignerHarness.open(options(live(algorithm), cacheBytes), restored);
    }

    private void feed(AssignerHarness harness, int from, int to) throws Exception {
        for (EdgeBatch batch : input.subList(from, to)) {
            harness.processElement(new StreamRecord<>(batch));
        }
    }

    private static Map<Integer, List<String>> shards(AssignerHarness harness) {
        Map<Integer, List<String>> shards = new TreeMap<>();
        for (Object element : harness.getOutput()) {
            ShardBatch batch = (ShardBatch) ((StreamRecord<?>) element).getValue();
            for (int i = 0; i < batch.edges().size(); i++) {
                add(
                        shards,
                        batch.shard(),
                        edge(
                                batch.edges().source(i),
                                batch.edges().target(i),
                                batch.edges().place(i)));
            }
        }
        return shards;
    }

    private static Quality lastQuality(AssignerHarness harness) {
        JobQuality last = null;
        for (StreamRecord<JobQuality> element : harness.getSideOutput(AssignerOperator.QUALITY)) {
            last = element.getValue();
        }
        return last.quality();
    }

    private static Map<Long, String> book(Iterable<StreamRecord<VertexBatch>> records) {
        Map<Long, String> book = new HashMap<>();
        for (StreamRecord<VertexBatch> rows : records) {
            read(rows.getValue(), book);
        }
        return book;
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

    private static String edge(long source, long target, int owners) {
        return source + " " + target + " " + owners;
    }
}
