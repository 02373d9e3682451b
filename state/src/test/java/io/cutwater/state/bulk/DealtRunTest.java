package io.cutwater.state.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cutwater.state.algorithm.cutwater.CutwaterBulkOptions;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.NetEdges;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.parts.Exchange;
import io.cutwater.state.parts.ThreadExchange;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bulk runs whose parts each read a piece of the input, everything counted again. */
class DealtRunTest {
    private static final int[] PARTS = {2, 3, 7, 16};

    @TempDir
    Path folder;

    static Stream<Long> seeds() {
        return LongStream.range(0, 12).boxed();
    }

    private static BulkRequest request(PartitioningKind kind, int k, int parts) {
        return new BulkRequest(BulkRunTest.request(kind, "cutwater", k, null).options(), null, null, parts);
    }

    /** What a part says of its piece. */
    private record Piece(EdgeBatch rows, long unknownRemovals) {}

    private List<Piece> run(BulkRequest request, EdgeBatch rows, boolean isKept) throws Exception {
        return ThreadExchange.run(request.parts(), exchange -> {
            EdgeBatch piece = piece(rows, exchange);
            try (BulkRun run = BulkRun.create(request, folder.resolve("part" + exchange.part()), exchange)) {
                if (!run.isComplete()) {
                    run.add(piece);
                    run.place(BulkProgress.NONE);
                }
                assertThat(run.edgeCount()).isEqualTo(piece.size());
                try (PlacedInput places = run.places(0)) {
                    places.mark(piece);
                }
                if (isKept) {
                    run.keep();
                }
                return new Piece(piece, run.unknownRemovals());
            }
        });
    }

    /** The pieces follow each other, are of different lengths, and some are empty. */
    private static EdgeBatch piece(EdgeBatch rows, Exchange exchange) {
        EdgeBatch piece = new EdgeBatch();
        for (int i = 0; i < rows.size(); i++) {
            double at = (double) i / rows.size();
            if ((int) (at * at * exchange.parts()) == exchange.part()) {
                piece.addFrom(rows, i);
            }
        }
        return piece;
    }

    private EdgeBatch place(BulkRequest request, EdgeBatch rows) throws Exception {
        EdgeBatch all = new EdgeBatch();
        run(request, rows, false).forEach(piece -> all.addAll(piece.rows()));
        assertThat(all.size()).isEqualTo(rows.size());
        return all;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyRunPlacesEveryEdgeAlikeWithinTheCap(long seed) throws Exception {
        EdgeBatch edges = RandomGraphs.graph(seed);
        int k = 1 + (int) (seed % 9);
        BulkRequest request = request(PartitioningKind.EDGE, k, PARTS[(int) (seed % PARTS.length)]);
        EdgeBatch placed = place(request, edges);
        long[] loads = new long[k];
        for (int i = 0; i < placed.size(); i++) {
            loads[Place.ofSource(placed.place(i))]++;
            assertThat(placed.source(i)).isEqualTo(edges.source(i));
        }
        assertThat(Arrays.stream(loads).max().orElse(0))
                .isLessThanOrEqualTo(new CutwaterBulkOptions(k, 1.05, 3).maxEdges(edges.size()));
        assertThat(BulkRunTest.places(place(request, edges))).isEqualTo(BulkRunTest.places(placed));
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyRunGivesEveryVertexTheSameOwner(long seed) throws Exception {
        EdgeBatch edges = RandomGraphs.graph(seed);
        int k = 1 + (int) (seed % 9);
        BulkRequest request = request(PartitioningKind.VERTEX, k, PARTS[(int) (seed % PARTS.length)]);
        EdgeBatch placed = place(request, edges);
        Map<Long, Integer> owners = new HashMap<>();
        for (int i = 0; i < placed.size(); i++) {
            int ofSource = Place.ofSource(placed.place(i));
            int ofTarget = Place.ofTarget(placed.place(i));
            assertThat(owners.merge(placed.source(i), ofSource, (one, other) -> one.equals(other) ? one : -1))
                    .isBetween(0, k - 1);
            assertThat(owners.merge(placed.target(i), ofTarget, (one, other) -> one.equals(other) ? one : -1))
                    .isBetween(0, k - 1);
        }
        assertThat(BulkRunTest.places(place(request, edges))).isEqualTo(BulkRunTest.places(placed));
    }

    @Test
    void placesWhatIsLeftAfterRemovalsInOtherPieces() throws Exception {
        for (PartitioningKind kind : PartitioningKind.values()) {
            for (long seed = 1; seed < 6; seed++) {
                EdgeBatch rows = NetEdges.sequence(seed);
                NetEdges net = new NetEdges(rows, null);
                List<Piece> pieces = run(request(kind, 4, 3), rows, false);
                EdgeBatch placed = new EdgeBatch();
                pieces.forEach(piece -> placed.addAll(piece.rows()));
                for (int i = 0; i < rows.size(); i++) {
                    assertThat(placed.place(i) >= 0)
                            .as("seed %d, row %d", seed, i)
                            .isEqualTo(net.isLeft(i));
                }
                assertThat(pieces.stream().mapToLong(Piece::unknownRemovals).sum())
                        .isEqualTo(net.unknownRemovals());
            }
        }
    }

    @Test
    void aRealGraphNeedsAsFewReplicasAsInThreads() throws Exception {
        EdgeBatch edges = SharedGraph.read("data/cit-hepph/edges.time.txt.gz");
        BulkRequest request = request(PartitioningKind.EDGE, 32, 4);
        EdgeBatch inThreads = BulkRunTest.place(request, edges, folder.resolve("threads"));
        assertThat((double) replicas(place(request, edges))).isLessThan(1.03 * replicas(inThreads));
    }

    private static int replicas(EdgeBatch placed) {
        Set<List<Long>> replicas = new HashSet<>();
        for (int i = 0; i < placed.size(); i++) {
            replicas.add(List.of(placed.source(i), (long) placed.place(i)));
            replicas.add(List.of(placed.target(i), (long) placed.place(i)));
        }
        return replicas.size();
    }

    @Test
    void whatAllPartsHaveKeptIsTakenUp() throws Exception {
        EdgeBatch edges = RandomGraphs.graph(5);
        BulkRequest request = request(PartitioningKind.EDGE, 4, 3);
        List<Piece> first = run(request, edges, true);
        List<Piece> again = run(request, edges, true);
        for (int part = 0; part < first.size(); part++) {
            assertThat(BulkRunTest.places(again.get(part).rows()))
                    .isEqualTo(BulkRunTest.places(first.get(part).rows()));
        }
        try (BulkRun gone = BulkRun.create(request(PartitioningKind.EDGE, 4, 1), folder.resolve("other"))) {
            assertThat(gone.isComplete()).isFalse();
        }
        Files.delete(folder.resolve("part1").resolve("complete"));
        assertThat(run(request, edges, false).get(2).rows().size())
                .isEqualTo(first.get(2).rows().size());
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void refusesWhatTasksCannotPlace() {
        BulkRequest two = request(PartitioningKind.EDGE, 4, 2);
        BulkRequest distinct = new BulkRequest(two.options(), DuplicateRule.DIRECTED, null, 1);
        ThreadExchange one = new ThreadExchange(1);
        for (BulkRequest request : List.of(two, distinct)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> BulkRun.create(request, folder, one.of(0)))
                    .withMessageContaining("1 tasks cannot place edge cutwater");
        }
    }
}
