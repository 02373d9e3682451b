package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.table.MapVertexStore;
import io.cutwater.state.table.PartitionLoads;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties of every rule on every stream of edges; windows from one edge to more than there are. */
class VertexPlacerLawsTest {
    /** More in a campaign. */
    private static final int GRAPHS = Integer.getInteger("cutwater.seeds", 12);

    private static final int[] PARTITION_COUNTS = {1, 3, 7, 64, 300};
    private static final long ONE_BYTE = 1;
    /** The cap of each rule that promises one; hash does not. */
    private static final Map<String, Double> CAPS = Map.of("ldg", 1.05, "cutwater", 1.05, "fennel", 1.1);

    /** A quarter of them for many partitions: the textbook asks every partition for every vertex. */
    private static int graphs(PartitionerOptions options) {
        return options.partitionCount() < 64 ? GRAPHS : GRAPHS / 4;
    }

    static Stream<PartitionerOptions> rules() {
        return Algorithms.names(PartitioningKind.VERTEX, PassMode.LIVE).stream()
                .flatMap(name -> name.equals("hash")
                        ? options(name, Map.of())
                        : Stream.of("1", "20", "50000").flatMap(window -> options(name, Map.of("window", window))));
    }

    /** The rules, and that which chooses owners together, for which there is no textbook. */
    static Stream<PartitionerOptions> allRules() {
        return Stream.concat(
                rules(), options("cutwater", Map.of("buffer", "20")).filter(options -> options.partitionCount() < 64));
    }

    /** Enough to show what is counted at every moment. */
    static Stream<PartitionerOptions> rulesOfFewPartitions() {
        return allRules().filter(options -> options.partitionCount() < 64);
    }

    static Stream<PartitionerOptions> rulesWithACap() {
        return allRules().filter(options -> CAPS.containsKey(options.algorithm()));
    }

    private static Stream<PartitionerOptions> options(String name, Map<String, String> settings) {
        return IntStream.of(PARTITION_COUNTS)
                .mapToObj(k -> PartitionerOptions.ofVertices(name, k, 5, PassMode.LIVE, settings));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void ownersAreThoseOfTheTextbook(PartitionerOptions options) {
        for (long seed = 0; seed < graphs(options); seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            assertThat(new OwnedEdges(graph, options).run(64).owners())
                    .as("seed %d", seed)
                    .isEqualTo(new TextbookOwners(graph, options).place());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("allRules")
    void everyEdgeIsOnceInTheShardOfEachOwner(PartitionerOptions options) {
        for (long seed = 0; seed < graphs(options); seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            OwnedEdges run = new OwnedEdges(graph, options).run(64);
            Map<Long, Integer> owners = run.owners();
            for (int edge = 0; edge < graph.size(); edge++) {
                Set<Integer> expected = new HashSet<>();
                expected.add(owners.get(graph.source(edge)));
                expected.add(owners.get(graph.target(edge)));
                List<Integer> shards = run.shards.get(edge);
                assertThat(shards).as("edge %d, seed %d", edge, seed).hasSameSizeAs(expected);
                assertThat(new HashSet<>(shards)).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rulesOfFewPartitions")
    void theQualityIsThatOfARecountAtEveryMoment(PartitionerOptions options) {
        for (long seed = 0; seed < graphs(options); seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            OwnedEdges run = new OwnedEdges(graph, options);
            for (int edge = 0; edge < graph.size(); edge++) {
                run.feed(edge, edge + 1);
                if (edge % 13 == 0) {
                    assertThat(run.assigner.quality(0)).as("seed %d", seed).isEqualTo(run.recount());
                }
            }
            run.assigner.placeHeld(run);
            assertThat(run.assigner.quality(0)).as("seed %d", seed).isEqualTo(run.recount());
            assertThat(run.assigner.quality(0).edges()).isEqualTo(graph.size());
        }
    }

    /** max(⌈slack · n / k⌉, 64), n being the vertices that have an owner: also while there are few. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("rulesWithACap")
    void noPartitionEverOwnsMoreThanItsShare(PartitionerOptions options) {
        double slack = CAPS.get(options.algorithm());
        for (long seed = 0; seed < GRAPHS / 4; seed++) {
            EdgeBatch graph = stars(seed, 60, 40);
            OwnedEdges run = new OwnedEdges(graph, options);
            for (int edge = 0; edge < graph.size(); edge++) {
                run.feed(edge, edge + 1);
                requireCap(run, slack, seed);
            }
            while (run.assigner.heldCount() > 0) {
                run.assigner.placeHeldBefore(run.assigner.heldEver() - run.assigner.heldCount() + 1, run);
                requireCap(run, slack, seed);
            }
        }
    }

    private static void requireCap(OwnedEdges run, double slack, long seed) {
        long n = 0;
        long most = 0;
        for (int p = 0; p < run.partitionCount; p++) {
            n += run.assigner.ownerLoads().owned(p);
            most = Math.max(most, run.assigner.ownerLoads().owned(p));
        }
        assertThat((double) most)
                .as("seed %d", seed)
                .isLessThanOrEqualTo(Math.max(64, Math.ceil(slack * n / run.partitionCount)));
    }

    /** Stars whose centres are joined: what wants to be together is larger than a partition. */
    private static EdgeBatch stars(long seed, int stars, int leaves) {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeBatch graph = new EdgeBatch();
        for (int star = 0; star < stars; star++) {
            long centre = 1000L * star;
            for (int leaf = 1; leaf <= leaves; leaf++) {
                graph.add(centre, centre + leaf);
            }
            graph.add(centre, 1000L * random.nextInt(star + 1));
        }
        return graph;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void doesNotDependOnHowTheEdgesAreCutIntoBatches(PartitionerOptions options) {
        for (long seed = 0; seed < graphs(options); seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            Map<Integer, List<Integer>> whole = new OwnedEdges(graph, options).run(Integer.MAX_VALUE).shards;
            for (int batchSize : new int[] {1, 7, 64}) {
                assertThat(new OwnedEdges(graph, options).run(batchSize).shards)
                        .as("seed %d, batches of %d", seed, batchSize)
                        .containsExactlyEntriesOf(whole);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void doesNotDependOnTheSizeOfTheCache(PartitionerOptions options) {
        for (long seed = 0; seed < graphs(options); seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            OwnedEdges unbounded = new OwnedEdges(graph, options).run(64);
            OwnedEdges bounded = new OwnedEdges(
                            graph,
                            options,
                            new MapVertexStore(),
                            ONE_BYTE,
                            0,
                            new PartitionLoads(options.partitionCount()))
                    .run(64);
            assertThat(bounded.shards).as("seed %d", seed).isEqualTo(unbounded.shards);
            assertThat(bounded.assigner.quality(0)).isEqualTo(unbounded.assigner.quality(0));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void goesOnAfterARestoreAsIfNothingHadHappened(PartitionerOptions options) {
        for (long seed = 1; seed < graphs(options); seed++) {
            EdgeBatch graph = RandomGraphs.graph(seed);
            int crash = new SplittableRandom(seed).nextInt(graph.size() + 1);
            OwnedEdges undisturbed = new OwnedEdges(graph, options).run(64);
            OwnedEdges restored = withARestore(graph, options, crash);
            assertThat(restored.shards)
                    .as("seed %d, restored after %d of %d edges", seed, crash, graph.size())
                    .containsExactlyEntriesOf(undisturbed.shards);
            assertThat(restored.assigner.quality(3)).isEqualTo(undisturbed.assigner.quality(3));
        }
    }

    /** Reads edges up to the crash, keeps only what a checkpoint holds, and goes on with all else new. */
    private static OwnedEdges withARestore(EdgeBatch graph, PartitionerOptions options, int crash) {
        MapVertexStore store = new MapVertexStore();
        PartitionLoads loads = new PartitionLoads(options.partitionCount());
        OwnedEdges first = new OwnedEdges(graph, options, store, ONE_BYTE, 0, loads);
        first.feed(0, crash);
        first.vertices.flush();
        OwnedEdges second = new OwnedEdges(
                graph,
                options,
                store,
                ONE_BYTE,
                first.vertices.vertexCount(),
                new PartitionLoads(loads.edges(), loads.vertices(), loads.totalVertices()));
        second.shards.putAll(first.shards);
        second.assigner.restore(first.assigner.snapshot(), first.assigner.heldEdges());
        second.feed(crash, graph.size());
        second.assigner.placeHeld(second);
        return second;
    }
}
