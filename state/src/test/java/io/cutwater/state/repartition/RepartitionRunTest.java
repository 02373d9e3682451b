package io.cutwater.state.repartition;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.bulk.BulkProgress;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.parts.ThreadExchange;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans on random graphs, their moves made one by one on plain collections, and everything counted again. */
class RepartitionRunTest {
    private static final int[] PARTS = {3, 2, 7, 2, 4}; // also more than some graphs have vertices

    @TempDir
    Path scratch;

    private record Move(long source, long target, int from, int to) {}

    private record Result(RepartitionPlan plan, List<Move> moves) {}

    static Stream<Long> seeds() {
        return Stream.iterate(1L, seed -> seed + 1).limit(24);
    }

    private Result run(RepartitionRequest request, EdgeBatch placed) throws Exception {
        try (RepartitionRun run = RepartitionRun.create(request, scratch.resolve("run"))) {
            run.add(placed);
            return result(run);
        }
    }

    /** Plans in parts, each of which has the edges of the vertices of some buckets. */
    private Result run(RepartitionRequest request, EdgeBatch placed, int parts) throws Exception {
        LongToIntFunction owner = vertex -> Hashing.bucket(vertex, parts);
        List<Result> results = ThreadExchange.run(parts, exchange -> {
            EdgeBatch own = new EdgeBatch();
            for (int i = 0; i < placed.size(); i++) {
                if (owner.applyAsInt(placed.source(i)) == exchange.part()) {
                    own.addFrom(placed, i);
                }
            }
            Path folder = scratch.resolve("run" + exchange.part());
            try (RepartitionRun run = RepartitionRun.create(request, folder, exchange, owner)) {
                run.add(own);
                for (int i = 0; i < placed.size() && request.options().kind().hasOwners(); i++) {
                    if (owner.applyAsInt(placed.source(i)) == exchange.part()) {
                        run.own(placed.source(i), Place.ofSource(placed.place(i)));
                    }
                    if (owner.applyAsInt(placed.target(i)) == exchange.part()) {
                        run.own(placed.target(i), Place.ofTarget(placed.place(i)));
                    }
                }
                return result(run);
            }
        });
        assertThat(results).extracting(Result::plan).containsOnly(results.get(0).plan());
        List<Move> moves =
                results.stream().flatMap(result -> result.moves().stream()).toList();
        return new Result(results.get(0).plan(), moves);
    }

    private static Result result(RepartitionRun run) throws IOException, InterruptedException {
        RepartitionPlan plan = run.plan(BulkProgress.NONE);
        List<Move> moves = new ArrayList<>();
        try (Moves made = run.moves()) {
            while (made.next()) {
                moves.add(new Move(made.source(), made.target(), made.from(), made.to()));
            }
        }
        return new Result(plan, moves);
    }

    private static RepartitionRequest request(PartitioningKind kind, int before, int after, double budget) {
        return new RepartitionRequest(
                new PartitionerOptions(kind, "cutwater", after, 7, PassMode.LIVE, Map.of()), before, budget);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void edgesMoveFromWhereTheyAreWithinTheBudgetToTheQualityThatIsExpected(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeBatch graph = RandomGraphs.graph(seed);
        int before = random.nextInt(1, 10);
        int after = random.nextInt(1, 10);
        double budget = seed % 3 == 0 ? 1 : random.nextDouble(0.01, 0.5);
        for (int i = 0; i < graph.size(); i++) {
            graph.setPlace(i, Place.of(random.nextInt(before)));
        }
        RepartitionRequest request = request(PartitioningKind.EDGE, before, after, budget);
        Result whole = run(request, graph);
        requireLaws(graph, before, after, budget, whole);
        assertThat(run(request, graph)).isEqualTo(whole);
        assertThat(run(request, graph, 1)).isEqualTo(whole);
        int parts = PARTS[(int) (seed % PARTS.length)];
        Result inParts = run(request, graph, parts);
        requireLaws(graph, before, after, budget, inParts);
        assertThat(run(request, graph, parts)).isEqualTo(inParts);
    }

    private static void requireLaws(EdgeBatch graph, int before, int after, double budget, Result result) {
        RepartitionPlan plan = result.plan();
        assertThat(plan.edges()).isEqualTo(graph.size());
        assertThat(plan.moves()).isEqualTo(result.moves().size());
        assertThat(plan.edgesToMove()).isEqualTo(plan.moves()).isLessThanOrEqualTo((long) (budget * graph.size()));
        List<Move> placement = new ArrayList<>();
        for (int i = 0; i < graph.size(); i++) {
            int partition = Place.ofSource(graph.place(i));
            placement.add(new Move(graph.source(i), graph.target(i), partition, partition));
        }
        assertThat(plan.before()).isEqualTo(recount(placement, before));
        for (Move move : result.moves()) {
            assertThat(move.to()).isBetween(0, after - 1);
            assertThat(placement.remove(new Move(move.source(), move.target(), move.from(), move.from())))
                    .as("%s of an edge that is there", move)
                    .isTrue();
            placement.add(new Move(move.source(), move.target(), move.to(), move.to()));
        }
        boolean isDone = placement.stream().allMatch(edge -> edge.to() < after);
        assertThat(plan.expected()).isEqualTo(recount(placement, isDone ? after : Math.max(before, after)));
        if (budget == 1) {
            assertThat(isDone).isTrue();
        }
    }

    private static Quality recount(List<Move> placement, int partitions) {
        List<PartitionQuality> perPartition = new ArrayList<>();
        Set<Long> all = new HashSet<>();
        for (int p = 0; p < partitions; p++) {
            int partition = p;
            List<Move> there =
                    placement.stream().filter(edge -> edge.to() == partition).toList();
            Set<Long> vertices = new HashSet<>();
            there.forEach(edge -> vertices.addAll(List.of(edge.source(), edge.target())));
            all.addAll(vertices);
            perPartition.add(new PartitionQuality(p, vertices.size(), there.size()));
        }
        return Quality.ofEdges(partitions, all.size(), placement.size(), 0, perPartition);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void verticesMoveFromWhereTheyAreWithinTheBudgetToTheQualityThatIsExpected(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeBatch graph = RandomGraphs.graph(seed);
        int before = random.nextInt(1, 10);
        int after = random.nextInt(1, 10);
        double budget = seed % 3 == 0 ? 1 : random.nextDouble(0.01, 0.5);
        Map<Long, Integer> owners = new HashMap<>();
        for (int i = 0; i < graph.size(); i++) {
            int ofSource = owners.computeIfAbsent(graph.source(i), v -> random.nextInt(before));
            int ofTarget = owners.computeIfAbsent(graph.target(i), v -> random.nextInt(before));
            graph.setPlace(i, Place.of(ofSource, ofTarget));
        }
        RepartitionRequest request = request(PartitioningKind.VERTEX, before, after, budget);
        Result whole = run(request, graph);
        requireLaws(graph, owners, before, after, budget, whole);
        assertThat(run(request, graph)).isEqualTo(whole);
        assertThat(run(request, graph, 1)).isEqualTo(whole);
        int parts = PARTS[(int) (seed % PARTS.length)];
        Result inParts = run(request, graph, parts);
        requireLaws(graph, owners, before, after, budget, inParts);
        assertThat(run(request, graph, parts)).isEqualTo(inParts);
    }

    private static void requireLaws(
            EdgeBatch graph, Map<Long, Integer> present, int before, int after, double budget, Result result) {
        Map<Long, Integer> owners = new HashMap<>(present);
        RepartitionPlan plan = result.plan();
        AdjacencyGraph adjacency = AdjacencyGraph.of(graph);
        assertThat(plan.edges()).isEqualTo(graph.size());
        assertThat(plan.moves()).isEqualTo(result.moves().size());
        assertThat(plan.before()).isEqualTo(Quality.of(adjacency, of(adjacency, owners), before));
        long changed = 0;
        for (Move move : result.moves()) {
            assertThat(move.to()).isBetween(0, after - 1);
            assertThat(owners.put(move.source(), move.to())).isEqualTo(move.from());
            for (int i = 0; i < graph.size(); i++) {
                changed += graph.source(i) == move.source() || graph.target(i) == move.source() ? 1 : 0;
            }
        }
        assertThat(plan.edgesToMove()).isEqualTo(changed);
        if (budget < 1) {
            assertThat(changed).isLessThanOrEqualTo((long) (budget * graph.size()));
        }
        int[] now = of(adjacency, owners);
        boolean isDone = Arrays.stream(now).allMatch(owner -> owner < after);
        assertThat(plan.expected()).isEqualTo(Quality.of(adjacency, now, isDone ? after : Math.max(before, after)));
        if (budget == 1) {
            assertThat(isDone).isTrue();
        }
    }

    private static int[] of(AdjacencyGraph graph, Map<Long, Integer> owners) {
        int[] of = new int[graph.vertexCount()];
        for (int v = 0; v < of.length; v++) {
            of[v] = owners.get(graph.vertex(v));
        }
        return of;
    }

    @ParameterizedTest
    @EnumSource
    void anEmptyGraphHasNothingToMove(PartitioningKind kind) throws Exception {
        Result result = run(request(kind, 3, 5, 1), new EdgeBatch());
        assertThat(result.moves()).isEmpty();
        assertThat(result.plan().edges()).isZero();
    }
}
