package io.cutwater.state.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.store.VertexStore;
import io.cutwater.state.table.MapVertexStore;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Laws that the job relies on in every edge partitioner. A subclass tests them on small ugly graphs: hubs, self-loops,
 * duplicates both ways round, ids at the ends of the range, and more partitions than edges. The seed of a failure is in
 * the assertion's message.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class EdgePartitionerConformance {
    private static final int[] PARTITION_COUNTS = {1, 2, 3, 7, 32, 63, 64, 65, 200, 4096};
    private static final int GRAPHS = 24;
    /** From this k on a quarter of the graphs: tables and reference rules cost time in proportion to k. */
    private static final int MANY_PARTITIONS = 200;

    /** Returns how many random graphs to test with. */
    protected static int graphs(PartitionerOptions options) {
        return options.partitionCount() < MANY_PARTITIONS ? GRAPHS : GRAPHS / 4;
    }

    /** Returns the partitioners under test; {@link #everyWayOf} returns the usual ones. */
    protected abstract Stream<PartitionerOptions> partitioners();

    /**
     * The edges that a partition may have at most when so many have been placed on all of them together; infinite for
     * an algorithm that promises none.
     */
    protected double maxEdges(PartitionerOptions options, long placed) {
        return Double.POSITIVE_INFINITY;
    }

    /** Partitioners by name, without settings, in one pass and in bulk where they place a stream, for many k. */
    protected static Stream<PartitionerOptions> everyWayOf(String... names) {
        return Arrays.stream(names)
                .flatMap(name -> Stream.of(PassMode.values())
                        .filter(mode ->
                                Algorithms.get(PartitioningKind.EDGE, name).runs(mode))
                        .flatMap(mode -> Arrays.stream(PARTITION_COUNTS)
                                .mapToObj(k -> PartitionerOptions.ofEdges(name, k, 7L * k, mode, Map.of()))))
                .filter(options -> !Algorithms.get(PartitioningKind.EDGE, options.algorithm())
                        .isPlacedAsGraph(options));
    }

    /** The partitioners as a test report shows them. */
    protected static Named<PartitionerOptions> named(PartitionerOptions options) {
        return Named.of(
                "%s %s k=%d %s"
                        .formatted(
                                options.algorithm(), options.passMode(), options.partitionCount(), options.settings()),
                options);
    }

    private Stream<Named<PartitionerOptions>> subjects() {
        return partitioners().map(EdgePartitionerConformance::named);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subjects")
    void everyEdgeIsPlacedAndTheTablesAreWhatARecountFinds(PartitionerOptions options) {
        for (long seed = 0; seed < graphs(options); seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            WholePlacement placement = WholePlacement.of(graph, options);
            long[] edges = new long[options.partitionCount()];
            Set<List<Long>> replicas = new HashSet<>();
            Set<Long> vertices = new HashSet<>();
            for (int i = 0; i < graph.size(); i++) {
                int partition = placement.partitions()[i];
                assertThat(partition).as("seed %d, edge %d", seed, i).isBetween(0, options.partitionCount() - 1);
                edges[partition]++;
                for (long vertex : new long[] {graph.source(i), graph.target(i)}) {
                    vertices.add(vertex);
                    replicas.add(List.of(vertex, (long) partition));
                }
            }
            Quality report = Quality.of(placement.loads(), 0);
            assertThat(report.edges()).as("seed %d", seed).isEqualTo(graph.size());
            assertThat(report.vertices()).as("seed %d", seed).isEqualTo(vertices.size());
            assertThat(report.copies()).as("seed %d", seed).isEqualTo(replicas.size());
            assertThat(placement.loads().edges()).as("seed %d", seed).isEqualTo(edges);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subjects")
    void theSameInputGetsTheSamePlaces(PartitionerOptions options) {
        for (long seed = 0; seed < graphs(options); seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            assertThat(WholePlacement.of(graph, options).partitions())
                    .as("seed %d", seed)
                    .isEqualTo(WholePlacement.of(graph, options).partitions());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subjects")
    void selfLoopsDuplicatesAndVerySmallGraphsArePlaced(PartitionerOptions options) {
        long[][] graphs = {{}, {5, 5}, {5, 5, 5, 5, 5, 5}, {1, 2}, {1, 2, 2, 1, 1, 2, 1, 2}, {1, 1, 1, 2, 2, 2}};
        for (long[] ends : graphs) {
            EdgeBatch graph = new EdgeBatch();
            for (int i = 0; i < ends.length; i += 2) {
                graph.add(ends[i], ends[i + 1]);
            }
            for (int partition : WholePlacement.of(graph, options).partitions()) {
                assertThat(partition).as(Arrays.toString(ends)).isBetween(0, options.partitionCount() - 1);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subjects")
    void noPartitionIsAboveTheCap(PartitionerOptions options) {
        for (long seed = 0; seed < graphs(options); seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            double cap = maxEdges(options, graph.size());
            if (cap < graph.size()) {
                assertThat((double) WholePlacement.of(graph, options).loads().maxEdges())
                        .as("seed %d", seed)
                        .isLessThanOrEqualTo(cap);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subjects")
    void doesNotDependOnHowTheEdgesAreCutIntoBatches(PartitionerOptions options) {
        for (long seed = 0; seed < graphs(options); seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            int[] whole = WholePlacement.of(graph, options).partitions();
            for (int batchSize : new int[] {1, 7, 64}) {
                WholePlacement cut = WholePlacement.of(graph, options, batchSize, VertexStore.NONE, Long.MAX_VALUE);
                assertThat(cut.partitions())
                        .as("seed %d, batches of %d", seed, batchSize)
                        .isEqualTo(whole);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subjects")
    void doesNotDependOnTheSizeOfTheCache(PartitionerOptions options) {
        for (long seed = 0; seed < graphs(options); seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            WholePlacement unbounded = WholePlacement.of(graph, options);
            WholePlacement bounded =
                    WholePlacement.of(graph, options, 64, new MapVertexStore(), WholePlacement.ONE_BYTE);
            assertThat(bounded.partitions()).as("seed %d", seed).isEqualTo(unbounded.partitions());
            assertThat(bounded.vertices().vertexCount())
                    .isEqualTo(unbounded.vertices().vertexCount());
            assertThat(Quality.of(bounded.loads(), 0)).isEqualTo(Quality.of(unbounded.loads(), 0));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subjects")
    void goesOnAfterARestoreAsIfNothingHadHappened(PartitionerOptions options) {
        int passes = Algorithms.edgePartitioner(options).preparationPasses() + 1;
        for (long seed = 1; seed < graphs(options); seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            int crash = new SplittableRandom(seed).nextInt(passes * graph.size() + 1);
            assertThat(WholePlacement.restoredAfter(crash, graph, options))
                    .as("seed %d, restored after %d of %d passes of %d edges", seed, crash, passes, graph.size())
                    .isEqualTo(WholePlacement.of(graph, options).partitions());
        }
    }

    /** Several tasks decide with partitioners of their own, so a partitioner must not hold state. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("subjects")
    void oneThatRunsInSeveralTasksKeepsNothingBesideTheTables(PartitionerOptions options) {
        EdgePartitioner partitioner = Algorithms.edgePartitioner(options);
        EdgeBatch graph = RandomGraphs.graph(1);
        WholePlacement.of(
                graph,
                partitioner,
                options.partitionCount(),
                EdgeBatch.DEFAULT_CAPACITY,
                VertexStore.NONE,
                Long.MAX_VALUE);
        // Homes are counted beside the tables, and the counts of several assigners add up; one alone numbers clusters.
        boolean hasHints = partitioner.layout(options.partitionCount()).hintWords() > 0;
        if (!partitioner.needsOneAssigner() && !hasHints) {
            assertThat(partitioner.snapshot()).isEmpty();
        }
    }
}
