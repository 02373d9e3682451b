package io.cutwater.state.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.quality.EdgeQuality;
import io.cutwater.state.table.MapVertexStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexListener;
import io.cutwater.state.table.VertexStore;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every partitioner on every graph; the seed of a failure is in the assertion's message. */
class EdgePartitionerLawsTest {
    private static final int[] PARTITION_COUNTS = {1, 2, 3, 7, 32, 63, 64, 65, 200, 4096};
    private static final int GRAPHS = 24;
    private static final long ONE_BYTE = 1; // the smallest cache there is: 16 vertices

    static Stream<Named<PartitionerOptions>> partitioners() {
        return EdgePartitioners.names().stream()
                .flatMap(name -> Stream.of(PassMode.values())
                        .filter(mode -> EdgePartitioners.canRun(name, mode))
                        .flatMap(mode -> Arrays.stream(PARTITION_COUNTS)
                                .mapToObj(k -> named(new PartitionerOptions(name, k, 7L * k, mode, Map.of())))));
    }

    static Stream<Named<PartitionerOptions>> partitionersWithSettings() {
        return Stream.of(
                        Map.of("lambda", "0.001", "epsilon", "1000000"),
                        Map.of("lambda", "0.3", "epsilon", "0.001"),
                        Map.of("lambda", "3", "epsilon", "25.5"),
                        Map.of("lambda", "1000000"))
                .flatMap(settings -> Stream.of(1, 5, 32, 64, 65, 200)
                        .map(k -> named(new PartitionerOptions("hdrf", k, 1, PassMode.LIVE, settings))));
    }

    static Stream<Named<PartitionerOptions>> partitionersWithClusters() {
        return Stream.of(
                        new PartitionerOptions("2ps-l", 7, 1, PassMode.BULK, Map.of("imbalance", "0")),
                        new PartitionerOptions("2ps-l", 32, 1, PassMode.BULK, Map.of("imbalance", "3")),
                        new PartitionerOptions("sigma-edge", 7, 1, PassMode.BULK, Map.of("imbalance", "0")),
                        new PartitionerOptions("sigma-edge", 65, 1, PassMode.BULK, Map.of("lambda", "2.5")),
                        new PartitionerOptions("sigma-edge", 5, 1, PassMode.BULK, Map.of("lambda", "0")),
                        new PartitionerOptions("sigma-edge", 9, 1, PassMode.BULK, Map.of("clustering", "none")),
                        new PartitionerOptions("sigma-edge", 3, 1, PassMode.LIVE, Map.of("lambda", "9")),
                        new PartitionerOptions("sigma-edge", 2, 1, PassMode.LIVE, Map.of("imbalance", "0")),
                        new PartitionerOptions("sigma-edge", 9, 1, PassMode.LIVE, Map.of("clustering", "none")))
                .map(EdgePartitionerLawsTest::named);
    }

    static Stream<Named<PartitionerOptions>> partitionersThatHold() {
        return Stream.of(
                        Map.of("window", "1"),
                        Map.of("window", "3", "pull", "0"),
                        Map.of("window", "17", "imbalance", "0", "lambda", "0.001"),
                        Map.of("window", "60", "pull", "2.5", "imbalance", "0.5"))
                .flatMap(settings -> Stream.of(1, 2, 7, 32, 65)
                        .map(k -> named(new PartitionerOptions("cutwater", k, 1, PassMode.LIVE, settings))));
    }

    private static Named<PartitionerOptions> named(PartitionerOptions options) {
        return Named.of(
                "%s %s k=%d %s"
                        .formatted(
                                options.algorithm(), options.passMode(), options.partitionCount(), options.settings()),
                options);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"partitioners", "partitionersWithSettings", "partitionersThatHold", "partitionersWithClusters"})
    void placesEveryEdgeAsTheTextbookDoes(PartitionerOptions options) {
        for (long seed = 0; seed < GRAPHS; seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            TextbookPartitioning textbook = new TextbookPartitioning(options);
            int[] expected = textbook.place(graph);
            Placement actual = Placement.of(graph, options);
            assertThat(actual.partitions()).as("seed %d", seed).isEqualTo(expected);
            assertThat(actual.loads().edges()).as("seed %d", seed).isEqualTo(textbook.loads());
            textbook.replicas()
                    .forEach((vertex, replicas) -> assertThat(
                                    replicas(actual.vertices(), vertex, options.partitionCount()))
                            .isEqualTo(replicas));
            assertThat(actual.vertices().vertexCount())
                    .as("seed %d", seed)
                    .isEqualTo(textbook.replicas().size());
        }
    }

    private static BitSet replicas(VertexTable vertices, long vertex, int partitionCount) {
        BitSet replicas = new BitSet();
        int slot = vertices.slot(vertex);
        for (int p = 0; p < partitionCount; p++) {
            replicas.set(p, vertices.hasReplica(slot, p));
        }
        return replicas;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"partitioners", "partitionersThatHold", "partitionersWithClusters"})
    void doesNotDependOnHowTheEdgesAreCutIntoBatches(PartitionerOptions options) {
        for (long seed = 0; seed < GRAPHS; seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            int[] whole = Placement.of(graph, options).partitions();
            for (int batchSize : new int[] {1, 7, 64}) {
                Placement cut = Placement.of(graph, options, batchSize, VertexStore.NONE, Long.MAX_VALUE);
                assertThat(cut.partitions())
                        .as("seed %d, batches of %d", seed, batchSize)
                        .isEqualTo(whole);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"partitioners", "partitionersThatHold", "partitionersWithClusters"})
    void doesNotDependOnTheSizeOfTheCache(PartitionerOptions options) {
        for (long seed = 0; seed < GRAPHS; seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            Placement unbounded = Placement.of(graph, options);
            Placement bounded = Placement.of(graph, options, 64, new MapVertexStore(), ONE_BYTE);
            assertThat(bounded.partitions()).as("seed %d", seed).isEqualTo(unbounded.partitions());
            assertThat(bounded.vertices().vertexCount())
                    .isEqualTo(unbounded.vertices().vertexCount());
            assertThat(EdgeQuality.of(bounded.loads(), 0)).isEqualTo(EdgeQuality.of(unbounded.loads(), 0));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"partitioners", "partitionersThatHold", "partitionersWithClusters"})
    void goesOnAfterARestoreAsIfNothingHadHappened(PartitionerOptions options) {
        for (long seed = 1; seed < GRAPHS; seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            int passes = EdgePartitioners.create(options).preparationPasses() + 1;
            int crash = new SplittableRandom(seed).nextInt(passes * graph.size() + 1);
            assertThat(placedWithARestore(graph, options, crash))
                    .as("seed %d, restored after %d of %d passes of %d edges", seed, crash, passes, graph.size())
                    .isEqualTo(Placement.of(graph, options).partitions());
        }
    }

    /** Reads edges up to the crash, keeps only what a checkpoint holds, and goes on with all else new. */
    private static int[] placedWithARestore(EdgeBatch graph, PartitionerOptions options, int crash) {
        EdgePartitioner first = EdgePartitioners.create(options);
        VertexLayout layout = first.layout(options.partitionCount());
        MapVertexStore store = new MapVertexStore();
        VertexTable vertices = new VertexTable(layout, store, ONE_BYTE, 0, VertexListener.NONE);
        PartitionLoads loads = new PartitionLoads(options.partitionCount());
        EdgeAssigner assigner = new EdgeAssigner(first, vertices, loads);
        int[] partitions = new int[graph.size()];
        Arrays.fill(partitions, -1);
        PlacedEdges placed = (source, target, weight, index, partition) -> partitions[(int) index] = partition;
        read(graph, assigner, 0, crash, placed);
        vertices.flush();

        VertexTable restored =
                new VertexTable(layout, store, Long.MAX_VALUE, vertices.vertexCount(), VertexListener.NONE);
        PartitionLoads restoredLoads = new PartitionLoads(loads.edges(), loads.vertices(), loads.totalVertices());
        EdgePartitioner second = EdgePartitioners.create(options);
        second.restore(first.snapshot());
        EdgeAssigner restoredAssigner = new EdgeAssigner(second, restored, restoredLoads);
        restoredAssigner.restoreHeld(assigner.heldEdges());
        read(graph, restoredAssigner, crash, (second.preparationPasses() + 1) * graph.size(), placed);
        restoredAssigner.placeHeld(placed);
        return partitions;
    }

    /** Shows edges {@code from} to {@code to} of all passes together to an assigner. */
    private static void read(EdgeBatch graph, EdgeAssigner assigner, int from, int to, PlacedEdges placed) {
        for (int at = from; at < to; ) {
            int pass = at / graph.size();
            int end = Math.min(to, (pass + 1) * graph.size());
            EdgeBatch batch = Placement.slice(graph, at - pass * graph.size(), end - pass * graph.size(), pass);
            if (assigner.isPlacing(pass)) {
                assigner.place(batch, placed);
            } else {
                assigner.observe(batch);
            }
            at = end;
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("partitioners")
    void reportsWhatARecountOfTheEdgesFinds(PartitionerOptions options) {
        for (long seed = 0; seed < GRAPHS; seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            Placement placement = Placement.of(graph, options);
            long[] edges = new long[options.partitionCount()];
            Set<List<Long>> replicas = new HashSet<>();
            Set<Long> vertices = new HashSet<>();
            for (int i = 0; i < graph.size(); i++) {
                int partition = placement.partitions()[i];
                edges[partition]++;
                for (long vertex : new long[] {graph.source(i), graph.target(i)}) {
                    vertices.add(vertex);
                    replicas.add(List.of(vertex, (long) partition));
                }
            }
            EdgeQuality report = EdgeQuality.of(placement.loads(), 0);
            assertThat(report.edges()).as("seed %d", seed).isEqualTo(graph.size());
            assertThat(report.vertices()).as("seed %d", seed).isEqualTo(vertices.size());
            assertThat(report.replicas()).as("seed %d", seed).isEqualTo(replicas.size());
            assertThat(placement.loads().edges()).as("seed %d", seed).isEqualTo(edges);
        }
    }
}
