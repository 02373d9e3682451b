package io.cutwater.state.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Ability;
import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.feedback.LoopSimulation.Trouble;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.store.MapAdjacencyStore;
import io.cutwater.state.table.ClusterLabel;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.ReplicaCounts;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol against the plain loop, whatever happens in between. */
final class LoopSimulationTest {
    private static final int BATCH = 16;
    private static final long SMALL_CACHE = 2_000;
    private static final int ALL_SEEDS = 120;
    /** A third of them in the usual run. */
    private static final int SEEDS = Integer.getInteger("cutwater.seeds") == null ? ALL_SEEDS / 3 : ALL_SEEDS;

    private static long moved;
    private static long movedWithVertices;
    private static int changesOfPartitions;
    private static long movedByTeams;
    private static long roundsOfTeams;
    private static int changesOfTeams;
    private static final long[] refined = new long[2];
    private static final long[] refinedBySeveral = new long[2];
    private static int changesOfForm;
    private static int roundsInOtherForm;
    private static int gathered;
    private static int heardLoads;
    private static int plansWithToldOwners;
    private static long movedByOwners;
    private static long roundsOfOwners;
    private static int changesOfOwners;

    /** Else the law of moves would say nothing. */
    @AfterAll
    static void edgesDidMove() {
        assertThat(moved).isGreaterThan(1_000);
        assertThat(movedWithVertices).isGreaterThan(ofAll(1_000));
        assertThat(changesOfPartitions).isGreaterThan(50);
        assertThat(movedByTeams).isGreaterThan(ofAll(10_000));
        assertThat(roundsOfTeams).isGreaterThan(ofAll(300));
        assertThat(changesOfTeams).isGreaterThan(ofAll(300));
        assertThat(Arrays.stream(refined).min().orElseThrow())
                .as("refined %s", Arrays.toString(refined))
                .isGreaterThan(ofAll(40));
        assertThat(Arrays.stream(refinedBySeveral).min().orElseThrow())
                .as("refined %s", Arrays.toString(refinedBySeveral))
                .isGreaterThan(40);
        assertThat(changesOfForm).isGreaterThan(ofAll(150));
        assertThat(roundsInOtherForm).isGreaterThan(ofAll(30));
        assertThat(gathered).isGreaterThan(ofAll(150));
        assertThat(heardLoads).isGreaterThan(ofAll(400));
        assertThat(plansWithToldOwners).isGreaterThan(ofAll(25));
        assertThat(movedByOwners).isGreaterThan(ofAll(10_000));
        assertThat(roundsOfOwners).isGreaterThan(ofAll(100));
        assertThat(changesOfOwners).isGreaterThan(ofAll(100));
    }

    /**
     * Returns how many the seeds of this run must bring at least.
     *
     * @param count for all seeds; a third of them must bring a quarter of it
     */
    private static int ofAll(int count) {
        return SEEDS == ALL_SEEDS ? count : count / 4;
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    /** The last ones once placed an edge by an owner that only an unconfirmed update still named. */
    static LongStream seedsOfForgottenOwners() {
        return LongStream.concat(seeds(), LongStream.of(295, 913, 1115, 1995, 3100));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void oneAssignerPlacesAsThePlainLoopDoesHoweverLateTheLoopAndWhateverCrashes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeBatch graph = RandomGraphs.graph(seed);
        PartitionerOptions options = options(random, seed, true);
        Trouble trouble = new Trouble(
                random.nextInt(1, 20), random.nextInt(40), random.nextInt(6), true, 1, random.nextInt(1, 5));
        SimulatedAttempt end = simulate(graph, options, trouble, seed).run();
        Plain plain = Plain.of(graph, options);
        assertThat(end.assigners.partitions()).isEqualTo(plain.partitions);
        assertSameVertices(graph, end, plain);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keptEdgesAndRemovalsAreThoseOfOneTable(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean isEmptied = random.nextInt(4) == 0;
        EdgeBatch graph = withRemovals(RandomGraphs.graph(seed), random, isEmptied);
        PartitionerOptions options = live(random, seed);
        Trouble trouble = new Trouble(
                random.nextInt(1, 20), random.nextInt(40), random.nextInt(6), true, 1, random.nextInt(1, 5));
        SimulatedAttempt end = simulate(graph, options, trouble, seed).run();
        Plain plain = Plain.of(graph, options);
        assertThat(end.assigners.partitions()).isEqualTo(plain.partitions);
        assertThat(end.tables.keptCopies()).isEqualTo(plain.kept.copies());
        assertSameVertices(graph, end, plain);
        List<Long> vertices = end.tables.storedVertices();
        assertThat(vertices).containsExactly((long) plain.vertices.size(), (long) plain.vertices.size());
        if (isEmptied) {
            assertThat(end.tables.keptCopies()).isEmpty();
            assertThat(vertices).containsExactly(0L, 0L);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 22, 23, 25, 26, 27, 28})
    void movesLoseNoEdgeAndTablesAndShardsAgree(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeBatch graph = withRemovals(RandomGraphs.graph(seed), random, false);
        PartitionerOptions options;
        do {
            options = live(random, seed);
        } while (options.kind().hasOwners());
        Trouble trouble =
                new Trouble(random.nextInt(1, 20), random.nextInt(3), random.nextInt(6), true, 1, random.nextInt(1, 5));
        LoopSimulation simulation = simulate(graph, options, trouble, seed);
        simulation.movesEdges = true;
        SimulatedAttempt end = simulation.run();
        moved += simulation.moved;
        changesOfPartitions += simulation.changesOfPartitions;
        assertThatTablesHaveWhatIsPlaced(
                graph, end, end.assigners.loads().get(0).partitionCount());
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 22, 23, 25, 26, 27, 28})
    void movesOfVerticesTakeTheirEdgesAlong(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeBatch graph = withRemovals(RandomGraphs.graph(seed), random, false);
        PartitionerOptions options;
        do {
            options = live(random, seed);
        } while (!options.kind().hasOwners());
        Trouble trouble =
                new Trouble(random.nextInt(1, 20), random.nextInt(3), random.nextInt(6), true, 1, random.nextInt(1, 5));
        LoopSimulation simulation = simulate(graph, options, trouble, seed);
        simulation.movesEdges = true;
        SimulatedAttempt end = simulation.run();
        movedWithVertices += simulation.moved;
        changesOfPartitions += simulation.changesOfPartitions;
        assertThatOwnersHaveWhatIsPlaced(
                graph, end, end.assigners.loads().get(0).partitionCount());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void severalAssignersMoveTheirEdgesAndNoneIsLost(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeBatch graph = withRemovals(RandomGraphs.graph(seed), random, false);
        PartitionerOptions options;
        do {
            options = options(random, seed, false);
        } while (options.passMode() != PassMode.LIVE);
        Trouble trouble = troubleOfSeveral(random, 6);
        LoopSimulation simulation = simulate(graph, options, trouble, seed);
        simulation.movesEdges = true;
        simulation.aborts = seed % 2 == 0;
        SimulatedAttempt end = simulation.run();
        assertThatTablesHaveWhatIsPlaced(graph, end, mostPartitions(end));
        SimulatedRounds rounds = end.assigners.rounds();
        movedByTeams += end.assigners.adopted();
        roundsOfTeams += rounds.done();
        changesOfTeams += simulation.changesOfPartitions;
        if (!simulation.aborts) { // else some move while the status is told
            assertThat(end.assigners.movedByTeam()).isEqualTo(end.assigners.adopted());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void movesToBetterPlacesLoseNoEdgeEither(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeBatch graph = withRemovals(RandomGraphs.graph(seed), random, false);
        PartitionerOptions options;
        do {
            options = live(random, seed);
        } while (!Algorithms.of(options).abilities().contains(Ability.REFINEMENT));
        Trouble trouble =
                new Trouble(random.nextInt(1, 20), random.nextInt(3), random.nextInt(6), true, 1, random.nextInt(1, 5));
        options = options.withPartitions(1 + options.partitionCount() % 6); // so that edges share partitions
        LoopSimulation simulation = simulate(graph, options, trouble, seed);
        simulation.movesEdges = true;
        simulation.refines = true;
        SimulatedAttempt end = simulation.run();
        int k = end.assigners.loads().get(0).partitionCount();
        if (options.kind().hasOwners()) {
            assertThatOwnersHaveWhatIsPlaced(graph, end, k);
        } else {
            assertThatTablesHaveWhatIsPlaced(graph, end, k);
        }
        refined[options.kind().ordinal()] += simulation.refined;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 22, 23, 25, 26, 27, 28})
    void severalAssignersMoveToBetterPlacesAndLoseNoEdge(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeBatch graph = withRemovals(RandomGraphs.graph(seed), random, false);
        PartitionerOptions options;
        do {
            options = seed % 3 > 0 ? options(random, seed, false) : owners(random, seed);
        } while (options.passMode() != PassMode.LIVE
                || !Algorithms.of(options).abilities().contains(Ability.REFINEMENT));
        Trouble trouble = troubleOfSeveral(random, 6);
        options = options.withPartitions(1 + options.partitionCount() % 6); // so that edges share partitions
        LoopSimulation simulation = simulate(graph, options, trouble, seed);
        simulation.movesEdges = true;
        simulation.refines = true;
        simulation.aborts = seed % 2 == 0;
        SimulatedAttempt end = simulation.run();
        if (options.kind().hasOwners()) {
            assertThatOwnersHaveWhatIsPlaced(graph, end, mostPartitions(end));
        } else {
            assertThatTablesHaveWhatIsPlaced(graph, end, mostPartitions(end));
        }
        refinedBySeveral[options.kind().ordinal()] += simulation.refined;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void verticesThatSeveralAssignersMoveHaveOneOwnerAtEachCommit(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeBatch graph = withRemovals(RandomGraphs.graph(seed), random, false);
        PartitionerOptions options = random.nextInt(4) == 0 ? bufferedOwners(random, seed) : owners(random, seed);
        Trouble trouble = troubleOfSeveral(random, 6);
        LoopSimulation simulation = simulate(graph, options, trouble, seed);
        simulation.movesEdges = true;
        simulation.aborts = seed % 2 == 0;
        SimulatedAttempt end = simulation.run();
        assertThatOwnersHaveWhatIsPlaced(graph, end, mostPartitions(end));
        movedByOwners += end.assigners.adopted();
        roundsOfOwners += end.assigners.rounds().done();
        changesOfOwners += simulation.changesOfPartitions;
    }

    /** One keeps edges without places, and those that several have kept have none that are true any more then. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void oneAssignerAndSeveralMoveTheSameGraph(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeBatch graph = withRemovals(RandomGraphs.graph(seed), random, false);
        PartitionerOptions options = random.nextInt(4) == 0 ? bufferedOwners(random, seed) : owners(random, seed);
        while (seed % 3 == 1 && (options.kind().hasOwners() || options.passMode() != PassMode.LIVE)) {
            options = options(random, seed, false);
        }
        Trouble trouble = troubleOfSeveral(random, 10);
        LoopSimulation simulation = fromOneTask(simulate(graph, options, trouble, seed));
        simulation.movesEdges = true;
        simulation.movesInBothForms = true;
        simulation.refines = seed % 3 == 0;
        simulation.aborts = seed % 2 == 0;
        SimulatedAttempt end = simulation.run();
        movedWithVertices += simulation.moved;
        changesOfForm += simulation.changesOfForm;
        roundsInOtherForm += simulation.roundsInOtherForm;
        plansWithToldOwners += simulation.plansWithToldOwners;
        if (options.kind().hasOwners()) {
            assertThatOwnersHaveWhatIsPlaced(graph, end, mostPartitions(end));
        } else {
            assertThatTablesHaveWhatIsPlaced(graph, end, mostPartitions(end));
        }
    }

    private static void assertThatOwnersHaveWhatIsPlaced(EdgeBatch graph, SimulatedAttempt end, int k) {
        TreeSet<Long> vertices = vertices(graph);
        int[] places = end.assigners.partitions().clone();
        long[] edges = new long[k];
        Map<Long, Map<Integer, Integer>> counts = new TreeMap<>();
        EdgeBatch kept = end.tables.keptEdges(vertices);
        for (int i = 0; i < kept.size(); i++) {
            int edge = (int) kept.timestamp(i);
            int ofSource = owner(end, kept.source(i));
            int ofTarget = owner(end, kept.target(i));
            assertThat(places[edge]).as("edge %d", edge).isEqualTo(Place.of(ofSource, ofTarget));
            places[edge] = -2;
            edges[ofSource]++;
            edges[ofTarget] += ofSource == ofTarget ? 0 : 1;
            counts.computeIfAbsent(kept.source(i), v -> new TreeMap<>()).merge(ofTarget, 1, Integer::sum);
            counts.computeIfAbsent(kept.target(i), v -> new TreeMap<>()).merge(ofSource, 1, Integer::sum);
        }
        assertThat(Arrays.stream(places).filter(place -> place >= 0).count())
                .as("edges that were placed, and neither removed nor kept")
                .isZero();
        assertThatAssignersCount(edges, end);
        for (long vertex : vertices) {
            VertexTable table = end.tables.cache(vertex);
            int slot = table.slot(vertex);
            Map<Integer, Integer> expected = counts.getOrDefault(vertex, Map.of());
            for (int p = 0; p < k; p++) {
                assertThat(table.countAt(slot, p, 0)).isEqualTo((long) expected.getOrDefault(p, 0));
                assertThat(table.hasReplica(slot, p)).isEqualTo(expected.containsKey(p) || table.master(slot) == p);
            }
            assertThat(table.degree(slot))
                    .isEqualTo(
                            expected.values().stream().mapToLong(count -> count).sum());
            RecordExchange.forgetIfEmpty(table, slot);
        }
        assertThat(end.tables.storedVertices()).containsExactly((long) counts.size(), (long) counts.size());
    }

    /** Asserts that the assigners count together as many edges on each partition as there are. */
    private static void assertThatAssignersCount(long[] edges, SimulatedAttempt end) {
        PartitionLoads loads = new PartitionLoads(edges.length);
        end.assigners.loads().forEach(own -> loads.addAll(own.first(edges.length)));
        // One assigner may have closed empty partitions before the others. Only the sum of their counts is 0 there.
        int open = end.assigners.loads().stream()
                .mapToInt(PartitionLoads::partitionCount)
                .min()
                .orElseThrow();
        assertThat(loads.first(open).edges()).isEqualTo(Arrays.copyOf(edges, open));
        assertThat(Arrays.stream(edges, open, edges.length).sum()).isZero();
    }

    private static int owner(SimulatedAttempt end, long vertex) {
        VertexTable table = end.tables.cache(vertex);
        return table.master(table.slot(vertex));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void severalAssignersKeepAndRemoveTheEdgesThatOneDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PartitionerOptions options;
        do {
            options = options(random, seed, false);
        } while (options.passMode() != PassMode.LIVE);
        severalAssignersKeepEdges(random, seed, options);
    }

    private static void severalAssignersKeepEdges(SplittableRandom random, long seed, PartitionerOptions options) {
        boolean isEmptied = random.nextInt(4) == 0;
        EdgeBatch graph = withRemovals(RandomGraphs.graph(seed), random, isEmptied);
        LoopSimulation simulation = fromOneTask(simulate(graph, options, severalTasks(random), seed));
        SimulatedAttempt end = simulation.run();
        changesOfForm += simulation.changesOfForm;
        gathered += simulation.gathered;
        Plain plain = Plain.of(graph, options);
        for (int i = 0; i < graph.size(); i++) {
            assertThat(end.assigners.partitions()[i] >= 0)
                    .as("edge %d is left", i)
                    .isEqualTo(plain.partitions[i] >= 0);
        }
        assertThatTablesHaveWhatIsPlaced(graph, end, options.partitionCount());
        if (isEmptied) {
            assertThat(end.tables.keptCopies()).isEmpty();
            assertThat(end.tables.storedVertices()).containsExactly(0L, 0L);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void severalAssignersKeepAndRemoveTheEdgesOfOwnedVertices(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        severalAssignersKeepEdgesOfOwnedVertices(random, seed, owners(random, seed));
    }

    private static void severalAssignersKeepEdgesOfOwnedVertices(
            SplittableRandom random, long seed, PartitionerOptions options) {
        boolean isEmptied = random.nextInt(4) == 0;
        EdgeBatch graph = withRemovals(RandomGraphs.graph(seed), random, isEmptied);
        LoopSimulation simulation = fromOneTask(simulate(graph, options, severalTasks(random), seed));
        SimulatedAttempt end = simulation.run();
        changesOfForm += simulation.changesOfForm;
        gathered += simulation.gathered;
        Plain plain = Plain.of(graph, options);
        for (int i = 0; i < graph.size(); i++) {
            assertThat(end.assigners.partitions()[i] >= 0)
                    .as("edge %d is left", i)
                    .isEqualTo(plain.partitions[i] >= 0);
        }
        assertThatOwnersHaveWhatIsPlaced(graph, end, options.partitionCount());
        if (isEmptied) {
            assertThat(end.tables.keptCopies()).isEmpty();
            assertThat(end.tables.storedVertices()).containsExactly(0L, 0L);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void severalAssignersChooseTheOwnersOfBuffersTogether(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        severalAssignersAgreeOnOwners(random, seed, bufferedOwners(random, seed));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seedsOfForgottenOwners")
    void removalsFindTheEdgesOfBuffersOfOwners(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        severalAssignersKeepEdgesOfOwnedVertices(random, seed, bufferedOwners(random, seed));
    }

    private static PartitionerOptions bufferedOwners(SplittableRandom random, long seed) {
        Map<String, String> settings = Map.of(
                "buffer", Integer.toString(random.nextInt(1, 100)), "window", Integer.toString(random.nextInt(1, 100)));
        return new PartitionerOptions(
                PartitioningKind.VERTEX, "cutwater", random.nextInt(1, 60), seed, PassMode.LIVE, settings);
    }

    private static PartitionerOptions owners(SplittableRandom random, long seed) {
        String algorithm = List.of("ldg", "fennel", "cutwater", "hash").get(random.nextInt(4));
        Map<String, String> settings =
                algorithm.equals("hash") ? Map.of() : Map.of("window", Integer.toString(random.nextInt(1, 100)));
        return new PartitionerOptions(
                PartitioningKind.VERTEX, algorithm, random.nextInt(1, 60), seed, PassMode.LIVE, settings);
    }

    private static void assertThatTablesHaveWhatIsPlaced(EdgeBatch graph, SimulatedAttempt end, int k) {
        TreeSet<Long> vertices = vertices(graph);
        EdgeBatch kept = end.tables.keptEdges(vertices);
        int[] partitions = end.assigners.partitions().clone();
        PartitionLoads recount = new PartitionLoads(k);
        Map<Long, Map<Integer, Integer>> counts = new TreeMap<>();
        for (int i = 0; i < kept.size(); i++) {
            int edge = (int) kept.timestamp(i);
            assertThat(kept.place(i)).as("edge %d", edge).isEqualTo(partitions[edge]);
            partitions[edge] = -2;
            int partition = Place.ofSource(kept.place(i));
            recount.addEdge(partition);
            for (long vertex : LongStream.of(kept.source(i), kept.target(i)).toArray()) {
                counts.computeIfAbsent(vertex, v -> new TreeMap<>()).merge(partition, 1, Integer::sum);
            }
        }
        assertThat(Arrays.stream(partitions).filter(place -> place >= 0).count())
                .as("edges that were placed, and neither removed nor kept")
                .isZero();
        assertThatAssignersCount(recount.edges(), end);
        long[] replicas = new long[k];
        for (long vertex : vertices) {
            VertexTable table = end.tables.cache(vertex);
            int slot = table.slot(vertex);
            Map<Integer, Integer> expected = counts.getOrDefault(vertex, Map.of());
            long degree = 0;
            for (int p = 0; p < k; p++) {
                int count = expected.getOrDefault(p, 0);
                assertThat(table.countAt(slot, p, 0)).isEqualTo(count);
                assertThat(table.hasReplica(slot, p)).isEqualTo(count > 0);
                degree += count;
                replicas[p] += count > 0 ? 1 : 0;
            }
            assertThat(table.degree(slot)).isEqualTo(degree);
            assertThat(
                            degree == 0
                                    ? table.master(slot) == VertexTable.NO_MASTER
                                    : table.hasReplica(slot, table.master(slot)))
                    .isTrue();
            RecordExchange.forgetIfEmpty(table, slot);
        }
        ReplicaCounts sum = new ReplicaCounts(k);
        for (int t = 0; t < end.tables.count(); t++) {
            sum.addAll(end.tables.get(t).counts());
        }
        assertThat(sum.vertices()).isEqualTo(counts.size());
        for (int p = 0; p < k; p++) {
            assertThat(sum.replicas(p)).isEqualTo(replicas[p]);
        }
        assertThat(end.tables.storedVertices()).containsExactly((long) counts.size(), (long) counts.size());
    }

    /**
     * Few distinct edges, so that most have several copies; removals follow closely, and some find nothing. Edges may
     * have keys, by which they are removed.
     */
    private static EdgeBatch withRemovals(EdgeBatch graph, SplittableRandom random, boolean isEmptied) {
        boolean hasKeys = random.nextBoolean();
        EdgeBatch changes = new EdgeBatch();
        List<Integer> there = new ArrayList<>();
        changes.add(1, 1, Double.NaN, EdgeBatch.NO_TIMESTAMP, hasKeys ? 0 : EdgeBatch.NO_KEY);
        changes.setRemoval(0);
        for (int i = 0; i < graph.size(); i++) {
            int edge = random.nextInt(3) == 0 ? random.nextInt(i + 1) : i;
            changes.add(
                    graph.source(edge),
                    graph.target(edge),
                    Double.NaN,
                    EdgeBatch.NO_TIMESTAMP,
                    hasKeys ? -i : EdgeBatch.NO_KEY);
            there.add(changes.size() - 1);
            while (!there.isEmpty() && random.nextInt(5) < 2) {
                int last = there.size() - 1;
                int which = random.nextBoolean() ? random.nextInt(there.size()) : last;
                remove(changes, random.nextInt(20) == 0 ? there.get(which) : there.set(which, there.get(last)));
                if (random.nextInt(8) > 0) {
                    there.remove(last);
                }
            }
        }
        // More than there are, because some were removed twice.
        for (int i = changes.size() - 1; isEmptied && i >= 0; i--) {
            if (!changes.isRemoval(i)) {
                remove(changes, i);
            }
        }
        return changes;
    }

    private static void remove(EdgeBatch changes, int edge) {
        changes.add(changes.source(edge), changes.target(edge), Double.NaN, EdgeBatch.NO_TIMESTAMP, changes.key(edge));
        changes.setRemoval(changes.size() - 1);
    }

    private static PartitionerOptions live(SplittableRandom random, long seed) {
        PartitionerOptions options;
        do {
            options = options(random, seed, true);
        } while (options.passMode() != PassMode.LIVE);
        return options;
    }

    private static void assertSameVertices(EdgeBatch graph, SimulatedAttempt end, Plain plain) {
        for (long vertex : vertices(graph)) {
            VertexTable table = end.tables.cache(vertex);
            int stride = table.layout().stride();
            long[] record = new long[2 * stride];
            RecordExchange.copy(table, table.slot(vertex), record, 0);
            if (RecordExchange.has(plain.vertices, vertex)) {
                RecordExchange.copy(plain.vertices, plain.vertices.slot(vertex), record, stride);
            } else {
                record[stride] = vertex;
                RecordExchange.forgetIfEmpty(table, table.slot(vertex));
            }
            assertThat(Arrays.copyOf(record, stride)).isEqualTo(Arrays.copyOfRange(record, stride, record.length));
        }
        PartitionLoads loads = end.assigners.loads().get(0);
        assertThat(loads.edges()).isEqualTo(plain.loads.edges());
        assertThat(loads.vertices()).isEqualTo(plain.loads.vertices());
        assertThat(loads.totalVertices()).isEqualTo(plain.loads.totalVertices());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void severalAssignersPlaceEveryEdgeOnceAndTheTableIsTheUnionOfWhatTheyDid(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        severalAssigners(random, seed, options(random, seed, false));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void severalAssignersShareHomesAndKeepBufferedEdges(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, String> settings = Map.of("window", Integer.toString(random.nextInt(1, 100)));
        PartitionerOptions options =
                PartitionerOptions.ofEdges("cutwater", random.nextInt(1, 60), seed, PassMode.LIVE, settings);
        SimulatedAttempt end = severalAssigners(random, seed, options);
        for (long vertex : vertices(RandomGraphs.graph(seed))) {
            VertexTable table = end.tables.cache(vertex);
            assertThat(table.home(table.slot(vertex))).as("home of %d", vertex).isNotNegative();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void severalAssignersShareClusters(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PartitionerOptions sigma =
                PartitionerOptions.ofEdges("sigma-edge", random.nextInt(1, 60), seed, PassMode.LIVE, Map.of());
        SimulatedAttempt end = severalAssigners(random, seed, sigma);
        for (long vertex : vertices(RandomGraphs.graph(seed))) {
            VertexTable table = end.tables.cache(vertex);
            long label = table.clusterLabel(table.slot(vertex));
            assertThat(ClusterLabel.partition(label))
                    .as("cluster of %d", vertex)
                    .isNotNegative();
        }
        severalAssignersKeepEdges(random, seed, sigma);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void severalAssignersPlaceBuffersTogether(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        severalAssigners(random, seed, buffered(random, seed));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void removalsFindTheEdgesOfBuffersOfSeveralAssigners(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        severalAssignersKeepEdges(random, seed, buffered(random, seed));
    }

    private static PartitionerOptions buffered(SplittableRandom random, long seed) {
        Map<String, String> settings = Map.of(
                "buffer", Integer.toString(random.nextInt(1, 100)), "window", Integer.toString(random.nextInt(1, 100)));
        return PartitionerOptions.ofEdges("cutwater", random.nextInt(1, 60), seed, PassMode.LIVE, settings);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void severalAssignersAgreeOnTheOwnerOfEachVertex(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        severalAssignersAgreeOnOwners(random, seed, owners(random, seed));
    }

    private static void severalAssignersAgreeOnOwners(SplittableRandom random, long seed, PartitionerOptions options) {
        EdgeBatch graph = RandomGraphs.graph(seed);
        LoopSimulation simulation = fromOneTask(simulate(graph, options, severalTasks(random), seed));
        SimulatedAttempt end = simulation.run();
        changesOfForm += simulation.changesOfForm;
        gathered += simulation.gathered;
        Map<Long, TreeSet<Integer>> replicas = new TreeMap<>();
        Map<Long, Long> degrees = new TreeMap<>();
        for (int i = 0; i < graph.size(); i++) {
            int place = end.assigners.partitions()[i];
            assertThat(place).as("edge %d", i).isNotNegative();
            for (long vertex : new long[] {graph.source(i), graph.target(i)}) {
                int owner = vertex == graph.source(i) ? Place.ofSource(place) : Place.ofTarget(place);
                VertexTable table = end.tables.cache(vertex);
                assertThat(table.master(table.slot(vertex)))
                        .as("owner of %d", vertex)
                        .isEqualTo(owner);
                TreeSet<Integer> on = replicas.computeIfAbsent(vertex, v -> new TreeSet<>());
                on.add(Place.ofSource(place));
                on.add(Place.ofTarget(place));
                degrees.merge(vertex, 1L, Long::sum);
            }
        }
        long[] owned = new long[options.partitionCount()];
        replicas.forEach((vertex, partitions) -> {
            VertexTable table = end.tables.cache(vertex);
            int slot = table.slot(vertex);
            owned[table.master(slot)]++;
            assertThat(table.degree(slot)).isEqualTo(degrees.get(vertex));
            for (int p = 0; p < options.partitionCount(); p++) {
                assertThat(table.hasReplica(slot, p)).isEqualTo(partitions.contains(p));
            }
        });
        long[] counted = new long[options.partitionCount()];
        for (int t = 0; t < end.tables.count(); t++) {
            long[] ofTask = end.tables.get(t).owned();
            Arrays.setAll(counted, p -> counted[p] + ofTask[p]);
        }
        if (!simulation.writesBack) { // else the assigner counts
            assertThat(counted).isEqualTo(owned);
        }
    }

    private static SimulatedAttempt severalAssigners(SplittableRandom random, long seed, PartitionerOptions options) {
        EdgeBatch graph = RandomGraphs.graph(seed);
        LoopSimulation simulation = fromOneTask(simulate(graph, options, severalTasks(random), seed));
        SimulatedAttempt end = simulation.run();
        changesOfForm += simulation.changesOfForm;
        gathered += simulation.gathered;
        heardLoads += simulation.heardLoads;
        Map<Long, TreeSet<Integer>> replicas = new TreeMap<>();
        long[] edges = new long[options.partitionCount()];
        Map<Long, Long> degrees = new TreeMap<>();
        for (int i = 0; i < graph.size(); i++) {
            assertThat(end.assigners.partitions()[i]).as("edge %d", i).isNotNegative();
            int partition = Place.ofSource(end.assigners.partitions()[i]);
            edges[partition]++;
            for (long vertex : new long[] {graph.source(i), graph.target(i)}) {
                replicas.computeIfAbsent(vertex, v -> new TreeSet<>()).add(partition);
                degrees.merge(vertex, 1L, Long::sum);
            }
        }
        replicas.forEach((vertex, partitions) -> {
            VertexTable table = end.tables.cache(vertex);
            int slot = table.slot(vertex);
            assertThat(table.degree(slot)).isEqualTo(degrees.get(vertex));
            TreeSet<Integer> found = new TreeSet<>();
            for (int p = 0; p < options.partitionCount(); p++) {
                if (table.hasReplica(slot, p)) {
                    found.add(p);
                }
            }
            assertThat(found).isEqualTo(partitions);
            assertThat(found).contains(table.master(slot));
        });
        ReplicaCounts counts = new ReplicaCounts(options.partitionCount());
        for (int t = 0; t < end.tables.count(); t++) {
            counts.addAll(end.tables.get(t).counts());
        }
        assertThat(counts.vertices()).isEqualTo(replicas.size());
        for (int p = 0; p < options.partitionCount(); p++) {
            int partition = p;
            long total = end.assigners.loads().stream()
                    .mapToLong(loads -> loads.edges(partition))
                    .sum();
            assertThat(total).isEqualTo(edges[p]);
            assertThat(counts.replicas(p))
                    .isEqualTo(replicas.values().stream()
                            .filter(on -> on.contains(partition))
                            .count());
        }
        return end;
    }

    /** Returns the trouble of several assigners whose edges move. */
    private static Trouble troubleOfSeveral(SplittableRandom random, int bound) {
        return new Trouble(
                random.nextInt(2, 20),
                random.nextInt(3),
                random.nextInt(bound),
                true,
                random.nextInt(2, 5),
                random.nextInt(1, 5));
    }

    /** Returns the number of partitions; an assigner may have closed empty ones before the others. */
    private static int mostPartitions(SimulatedAttempt end) {
        return end.assigners.loads().stream()
                .mapToInt(PartitionLoads::partitionCount)
                .max()
                .orElseThrow();
    }

    private static Trouble severalTasks(SplittableRandom random) {
        return new Trouble(
                random.nextInt(2, 20),
                random.nextInt(40),
                random.nextInt(10),
                random.nextInt(4) > 0,
                random.nextInt(2, 5),
                random.nextInt(1, 5));
    }

    /** Else the laws above would say nothing. */
    @Test
    void theSimulationDoesDuplicateAndReviveUpdates() {
        int duplicates = 0;
        int stale = 0;
        for (long seed = 1; seed <= 20; seed++) {
            Trouble trouble = new Trouble(8, 4, 4, true, 3, 3);
            LoopSimulation simulation = simulate(
                    RandomGraphs.graph(seed * 8 + 1), options(new SplittableRandom(seed), seed, false), trouble, seed);
            simulation.run();
            duplicates += simulation.duplicates;
            stale += simulation.stale;
        }
        assertThat(duplicates).isGreaterThan(50);
        assertThat(stale).isGreaterThan(50);
    }

    /** A quarter of the jobs have had one task before. */
    private static LoopSimulation fromOneTask(LoopSimulation simulation) {
        if (simulation.preparationPasses == 0 && simulation.random.nextInt(4) == 0) {
            simulation.beginInOneTask();
        }
        simulation.gathers = simulation.preparationPasses == 0;
        return simulation;
    }

    private static LoopSimulation simulate(EdgeBatch graph, PartitionerOptions options, Trouble trouble, long seed) {
        return new LoopSimulation(graph, options, BATCH, LoopSimulation.BUCKETS, SMALL_CACHE, trouble, seed);
    }

    private static PartitionerOptions options(SplittableRandom random, long seed, boolean isOneAssigner) {
        PartitioningKind kind =
                isOneAssigner && random.nextInt(3) == 0 ? PartitioningKind.VERTEX : PartitioningKind.EDGE;
        PassMode mode = kind == PartitioningKind.EDGE && random.nextBoolean() ? PassMode.BULK : PassMode.LIVE;
        int partitions = random.nextInt(1, 60);
        List<PartitionerOptions> all = new ArrayList<>();
        for (Algorithm algorithm : Algorithms.all()) {
            Map<String, String> settings = new TreeMap<>();
            for (String setting : List.of("window", "buffer")) {
                if (algorithm.hasSetting(mode, setting)) {
                    settings.put(setting, Integer.toString(random.nextInt(1, 100)));
                }
            }
            if (random.nextBoolean()) {
                settings.remove("buffer");
            }
            if (algorithm.kind() == kind && algorithm.runs(mode)) {
                PartitionerOptions options =
                        new PartitionerOptions(kind, algorithm.name(), partitions, seed, mode, settings);
                if (!algorithm.isPlacedAsGraph(options) && (isOneAssigner || !algorithm.needsOneAssigner(options))) {
                    all.add(options);
                }
            }
        }
        return all.get(random.nextInt(all.size()));
    }

    private static TreeSet<Long> vertices(EdgeBatch graph) {
        TreeSet<Long> vertices = new TreeSet<>();
        for (int i = 0; i < graph.size(); i++) {
            vertices.add(graph.source(i));
            vertices.add(graph.target(i));
        }
        return vertices;
    }

    /** Returns the result of one assigner over one table. */
    record Plain(int[] partitions, VertexTable vertices, PartitionLoads loads, MapAdjacencyStore kept) {
        static Plain of(EdgeBatch graph, PartitionerOptions options) {
            Algorithm algorithm = Algorithms.of(options);
            boolean keepsEdges = graph.hasRemovals();
            VertexLayout layout = algorithm.layout(options);
            VertexTable vertices = new VertexTable(keepsEdges ? layout.withCounts() : layout);
            PartitionLoads loads = new PartitionLoads(options.partitionCount());
            MapAdjacencyStore store = new MapAdjacencyStore();
            StoredEdges kept =
                    options.kind().hasOwners() ? StoredEdges.ofVertices(store, 0) : StoredEdges.ofEdges(store, 0);
            Placement assigner = algorithm.placement(options, vertices, loads, keepsEdges ? kept : null);
            int[] places = new int[graph.size()];
            Arrays.fill(places, -1);
            PlacedEdges into = new SimulatedAssigners.PlacedOnce(places);
            int passes = algorithm.streamRule(options).preparationPasses();
            for (int pass = 0; pass <= passes; pass++) {
                EdgeBatch batch = new EdgeBatch(Math.max(1, graph.size())).setPass(pass);
                for (int i = 0; i < graph.size(); i++) {
                    batch.add(graph.source(i), graph.target(i), Double.NaN, i, graph.key(i));
                    if (graph.isRemoval(i)) {
                        batch.setRemoval(i);
                    }
                }
                assigner.accept(batch, into);
            }
            assigner.placeHeld(into);
            return new Plain(places, vertices, loads, store);
        }
    }
}
