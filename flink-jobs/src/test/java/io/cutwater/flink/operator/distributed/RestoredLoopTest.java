package io.cutwater.flink.operator.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.operator.EdgeBatchHarness;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.operator.assigner.ShardBuffers;
import io.cutwater.flink.operator.local.AssignerHarness;
import io.cutwater.flink.operator.local.NetShards;
import io.cutwater.flink.types.message.AssignerMessage;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.feedback.Lookup;
import io.cutwater.state.feedback.NumberedBatch;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.feedback.ask.LookupMaker;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.store.AdjacencyStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.TestableKeyedStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One assigner and one vertex table, both restored from a checkpoint after every batch, and before or after them
 * perhaps one task in their place, against the plain engine.
 */
final class RestoredLoopTest {
    private static final int K = 5;
    private static final int BATCHES = 6;
    private static final int CACHED_VERTICES = 40;
    private static final int EDGES = 180;
    private static final int BATCH = 10;
    private static final SpreadOptions ONE = new SpreadOptions(4, 1, 1);

    private final UpdateQueue loop = new UpdateQueue();
    private final NetShards placed = new NetShards(K);
    private final SplittableRandom random = new SplittableRandom(3);
    private final Map<String, List<String>> changes = new TreeMap<>();
    private final List<VertexUpdate> travelling = new ArrayList<>();
    private @Nullable OperatorSubtaskState ofEdges;
    private int entriesOfEdges;

    /**
     * @param kept whether edges are kept and removed in the end, perhaps with their vertices
     * @param gathered batches of one task, before the others
     * @param spread batches after which one task goes on
     */
    @ParameterizedTest(name = "{0}, {1}, kept: {3}, one task before batch {4} and from batch {5}")
    @CsvSource({
        "edge, hdrf, 0, false, 0, 4",
        "edge, cutwater, 70, false, 0, 6",
        "vertex, fennel, 70, false, 0, 4",
        "edge, hdrf, 0, true, 0, 6",
        "edge, hdrf, 0, without vertices, 1, 4",
        "edge, cutwater, 70, without vertices, 3, 6",
        "vertex, cutwater, 20, true, 0, 4",
        "vertex, cutwater, 20, without vertices, 3, 6"
    })
    void aRestoreAfterEveryBatchChangesNoShard(
            String kind, String algorithm, int window, String kept, int gathered, int spread) throws Exception {
        boolean removesVertices = kept.equals("without vertices");
        boolean keepsEdges = removesVertices || Boolean.parseBoolean(kept);
        Map<String, String> settings = window == 0 ? Map.of() : Map.of("window", Integer.toString(window));
        AssignOptions options = new AssignOptions(
                        new PartitionerOptions(
                                Algorithms.kindOf(algorithm, kind), algorithm, K, 1, PassMode.LIVE, settings),
                        1 << 20,
                        true,
                        Duration.ofHours(1),
                        Duration.ZERO,
                        keepsEdges)
                .withVertexRemovals(removesVertices);
        EdgeBatch graph = graph(keepsEdges, removesVertices);
        OperatorSubtaskState ofTable = null;
        OperatorSubtaskState ofAssigner = null;
        int entries = 0;
        for (int number = 0; number < gathered; number++) {
            try (AssignerHarness one = new AssignerHarness(options, ONE.buckets())) {
                ofTable = goOn(one, ofTable, null, graph, number);
                take(one.extractOutputValues());
            }
        }
        for (int number = gathered; number < spread; number++) {
            try (VertexTableHarness table = VertexTableHarness.open(options, ONE, loop, ofTable);
                    TwoInputStreamOperatorTestHarness<NumberedBatch, AssignerMessage, ShardBatch> assigner =
                            assigner(options, ofAssigner)) {
                LookupMaker lookups = new LookupMaker(
                        ONE.buckets(),
                        1,
                        0,
                        1,
                        0,
                        CACHED_VERTICES,
                        !ONE.writesBack(options),
                        ONE.tellsSlots(options),
                        1);
                travelling.clear(); // what a dead attempt sent
                List<EdgeBatch> batches = removesVertices ? resolved(table, graph, number) : batches(graph, number);
                step(lookups, table, assigner, batches, number);
                lookups.flush(lookup -> look(lookup, table));
                table.prepareSnapshotPreBarrier(number);
                ofTable = table.snapshot(number, number);
                deliver(table, assigner, Integer.MAX_VALUE);
                assigner.prepareSnapshotPreBarrier(number);
                ofAssigner = assigner.snapshot(number, number);
                if (number == BATCHES - 1) {
                    assigner.endInput1();
                    assigner.endInput2();
                }
                take(assigner.extractOutputValues());
                if (number == BATCHES - 1) {
                    deliver(table, assigner, 0);
                    table.prepareSnapshotPreBarrier(BATCHES);
                    entries = table.entries();
                }
            }
        }
        for (int number = spread; number < BATCHES; number++) {
            try (AssignerHarness one = new AssignerHarness(options, ONE.buckets())) {
                ofTable = goOn(one, ofTable, number == spread ? ofAssigner : null, graph, number);
                entries = ((TestableKeyedStateBackend<?>)
                                ((AssignerOperator<?>) one.getOperator()).getKeyedStateBackend())
                        .numKeyValueStateEntries();
                take(one.extractOutputValues());
            }
        }
        Map<String, List<String>> plainChanges = new TreeMap<>();
        NetShards plain = plain(options, graph, plainChanges);
        if (removesVertices) { // the edges of a vertex have no order
            List.of(changes, plainChanges)
                    .forEach(some -> some.values().forEach(edges -> edges.sort(Comparator.naturalOrder())));
        }
        assertThat(placed.graph()).isEqualTo(plain.graph());
        assertThat(placed.replicas()).isEqualTo(plain.replicas());
        assertThat(changes).isEqualTo(plainChanges);
        if (keepsEdges) {
            assertThat(placed.isEmpty()).isTrue();
            assertThat(entries)
                    .as("the ledgers of the buckets are left")
                    .isEqualTo(spread < BATCHES ? 0 : ONE.buckets());
            assertThat(spread < BATCHES ? 0 : entriesOfEdges)
                    .as("the edges of vertices")
                    .isZero();
        }
    }

    /** The jobs of {@link #aRestoreAfterEveryBatchChangesNoShard}, with other batches of one task. */
    @Tag("campaign")
    @ParameterizedTest(name = "{0}, {1}, kept: {3}, one task before batch {4} and from batch {5}")
    @CsvSource({
        "edge, hdrf, 0, false, 0, 6",
        "edge, cutwater, 70, false, 0, 4",
        "vertex, fennel, 70, false, 0, 6",
        "edge, hdrf, 0, true, 0, 4",
        "edge, hdrf, 0, without vertices, 0, 4",
        "edge, hdrf, 0, without vertices, 0, 6",
        "edge, hdrf, 0, without vertices, 3, 6",
        "vertex, cutwater, 20, true, 0, 6",
        "vertex, cutwater, 20, without vertices, 0, 4"
    })
    void norDoesItInOtherJobs(String kind, String algorithm, int window, String kept, int gathered, int spread)
            throws Exception {
        aRestoreAfterEveryBatchChangesNoShard(kind, algorithm, window, kept, gathered, spread);
    }

    /** Places a share of the graph in one task. */
    private static OperatorSubtaskState goOn(
            AssignerHarness one,
            @Nullable OperatorSubtaskState restored,
            @Nullable OperatorSubtaskState ofAssigner,
            EdgeBatch graph,
            int number)
            throws Exception {
        one.setStateBackend(new EmbeddedRocksDBStateBackend());
        one.setup(ShardBatch.TYPE.serializer());
        if (restored != null) {
            one.initializeState(restored);
        }
        one.open();
        List<EdgeBatch> batches = batches(graph, number);
        one.processElement1(new StreamRecord<>(batches.get(0))); // before what the assigner has left
        if (ofAssigner != null) {
            try (var handOver = new OneInputStreamOperatorTestHarness<>(new HandOverOperator())) {
                handOver.setup(AssignerMessage.TYPE.serializer());
                handOver.initializeState(ofAssigner);
                handOver.open();
                handOver.prepareSnapshotPreBarrier(number);
                for (AssignerMessage message : handOver.extractOutputValues()) {
                    one.processElement2(new StreamRecord<>(message));
                }
            }
        }
        for (EdgeBatch batch : batches.subList(1, batches.size())) {
            one.processElement1(new StreamRecord<>(batch));
            one.setProcessingTime(one.getProcessingTime() + 10 * (number % 2));
        }
        if (number == BATCHES - 1) {
            one.endInput1();
            one.endInput2();
        }
        one.prepareSnapshotPreBarrier(number);
        return one.snapshot(number, number);
    }

    /** Returns batches with a removal of each edge of a vertex before that of the vertex. */
    private List<EdgeBatch> resolved(VertexTableHarness table, EdgeBatch graph, int number) throws Exception {
        UpdateSource link = new AnsweringLoop(loop.loop(), questions -> {
            table.apply(questions);
            return table.messages();
        });
        try (var edges = new EdgeBatchHarness(new VertexEdgesOperator(link), ONE.buckets())) {
            if (number > 0) {
                edges.initializeState(
                        ofEdges == null ? OperatorSubtaskState.builder().build() : ofEdges);
            }
            edges.open();
            for (EdgeBatch batch : batches(graph, number)) {
                edges.processElement(new StreamRecord<>(batch));
            }
            ofEdges = edges.snapshot(number, number);
            entriesOfEdges = ((TestableKeyedStateBackend<?>)
                            ((VertexEdgesOperator) edges.getOperator()).getKeyedStateBackend())
                    .numKeyValueStateEntries();
            return edges.extractOutputValues();
        }
    }

    private static List<EdgeBatch> batches(EdgeBatch graph, int number) {
        List<EdgeBatch> batches = new ArrayList<>();
        int to = (int) ((long) graph.size() * (number + 1) / BATCHES);
        for (int from = (int) ((long) graph.size() * number / BATCHES); from < to; from += BATCH) {
            EdgeBatch batch = new EdgeBatch();
            for (int i = from; i < Math.min(to, from + BATCH); i++) {
                batch.addFrom(graph, i);
            }
            batches.add(batch);
        }
        return batches;
    }

    /** With removals, in the end of every edge or of every vertex, if edges are kept. */
    private EdgeBatch graph(boolean isEmptied, boolean removesVertices) {
        EdgeBatch graph = new EdgeBatch();
        for (int i = 0; i < EDGES; i++) {
            graph.add((long) (50 * random.nextDouble() * random.nextDouble()), random.nextInt(-20, 60), i, i);
            if (isEmptied && i % 3 == 2) {
                int edge = random.nextInt(graph.size());
                graph.add(graph.source(edge), graph.target(edge));
                graph.setRemoval(graph.size() - 1);
            }
        }
        if (removesVertices) {
            TreeSet<Long> vertices = new TreeSet<>();
            for (int i = 0; i < graph.size(); i++) {
                vertices.add(graph.source(i));
                vertices.add(graph.target(i));
            }
            for (long vertex : vertices) {
                graph.add(vertex, vertex);
                graph.setVertexRemoval(graph.size() - 1);
            }
            assertThat(vertices).as("those of one task").hasSizeLessThan(graph.size() / 3);
            return graph;
        }
        for (int i = graph.size() - 1; isEmptied && i >= 0; i--) {
            graph.add(graph.source(i), graph.target(i));
            graph.setRemoval(graph.size() - 1);
        }
        return graph;
    }

    private static TwoInputStreamOperatorTestHarness<NumberedBatch, AssignerMessage, ShardBatch> assigner(
            AssignOptions options, @Nullable OperatorSubtaskState restored) throws Exception {
        TwoInputStreamOperatorTestHarness<NumberedBatch, AssignerMessage, ShardBatch> harness =
                new TwoInputStreamOperatorTestHarness<>(RemoteVertices.assigner(options, ONE, 0), 1, 1, 0);
        harness.setup(ShardBatch.TYPE.serializer());
        if (restored != null) {
            harness.initializeState(restored);
        }
        harness.open();
        return harness;
    }

    /** Places a share of the graph in small batches, while some updates are on their way. */
    private void step(
            LookupMaker lookups,
            VertexTableHarness table,
            TwoInputStreamOperatorTestHarness<NumberedBatch, AssignerMessage, ShardBatch> assigner,
            List<EdgeBatch> batches,
            int number)
            throws Exception {
        deliver(table, assigner, 0);
        for (EdgeBatch batch : batches) {
            NumberedBatch numbered = lookups.ask(batch, lookup -> look(lookup, table));
            assigner.processElement1(new StreamRecord<>(numbered));
            // In every other attempt the table reads its restored edges meanwhile, else it never comes to it.
            table.setProcessingTime(table.getProcessingTime() + 10 * (number % 2));
            deliver(table, assigner, random.nextInt(4));
        }
    }

    private static void look(Lookup lookup, VertexTableHarness table) {
        try {
            table.processElement(new StreamRecord<>(lookup));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Delivers answers, and all updates but the latest ones, which are {@code late}. */
    private void deliver(
            VertexTableHarness table,
            TwoInputStreamOperatorTestHarness<NumberedBatch, AssignerMessage, ShardBatch> assigner,
            int late)
            throws Exception {
        for (Views views : table.answers()) {
            assigner.processElement2(new StreamRecord<>(AssignerMessage.of(views)));
        }
        assigner.setProcessingTime(assigner.getProcessingTime() + 20);
        var sent = assigner.getSideOutput(AssignerOperator.UPDATES);
        if (sent != null) {
            sent.forEach(update -> travelling.add(update.getValue()));
            sent.clear();
        }
        while (travelling.size() > late) {
            table.apply(travelling.remove(0));
        }
    }

    private void take(List<ShardBatch> output) {
        output.forEach(batch -> {
            placed.apply(batch);
            log(batch, changes);
        });
    }

    private static void log(ShardBatch batch, Map<String, List<String>> changes) {
        EdgeBatch edges = batch.edges();
        // Those of a shard that enter and those that leave have no order between two flushes.
        List<String> ofShard =
                changes.computeIfAbsent(batch.shard() + " " + batch.change(), shard -> new ArrayList<>());
        for (int i = 0; i < edges.size(); i++) {
            ofShard.add("%d %d %s %d".formatted(edges.source(i), edges.target(i), edges.weight(i), edges.timestamp(i)));
        }
    }

    private static NetShards plain(AssignOptions options, EdgeBatch graph, Map<String, List<String>> changes) {
        NetShards shards = new NetShards(K);
        VertexTable vertices = new VertexTable(options.layout());
        Rows rows = new Rows(new HashMap<>());
        StoredEdges kept =
                options.kind().hasOwners() ? StoredEdges.ofVertices(rows, 0) : StoredEdges.ofEdgesByBothEnds(rows, 0);
        Placement engine = options.placement(vertices, new PartitionLoads(K), options.keepsEdges() ? kept : null);
        ShardBuffers buffers = new ShardBuffers(options.kind(), K, batch -> {
            shards.apply(batch);
            log(batch, changes);
        });
        engine.accept(graph, buffers);
        engine.placeHeld(buffers);
        buffers.flush();
        return shards;
    }

    /** Kept edges in memory. */
    private record Rows(Map<List<Object>, byte[]> rows) implements AdjacencyStore {
        @Override
        public byte @Nullable [] read(long vertex, long neighbour, boolean isOutgoing, int number) {
            return rows.get(List.of(vertex, neighbour, isOutgoing, number));
        }

        @Override
        public void write(long vertex, long neighbour, boolean isOutgoing, int number, byte @Nullable [] row) {
            if (row == null) {
                rows.remove(List.of(vertex, neighbour, isOutgoing, number));
            } else {
                rows.put(List.of(vertex, neighbour, isOutgoing, number), row);
            }
        }

        @Override
        public void forEach(long vertex, RowConsumer consumer) {
            Map.copyOf(rows).forEach((key, row) -> {
                if (key.get(0).equals(vertex) && key.get(3).equals(0)) {
                    consumer.accept(vertex, (long) key.get(1), (boolean) key.get(2), row);
                }
            });
        }
    }
}
