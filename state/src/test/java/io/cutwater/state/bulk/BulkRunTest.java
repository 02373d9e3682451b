package io.cutwater.state.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.edges.DistinctEdges;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.NetEdges;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BulkRunTest {
    @TempDir
    Path folder;

    static Stream<BulkRequest> requests() {
        return Stream.of(PartitioningKind.values())
                .flatMap(kind -> names(kind).stream().map(name -> request(kind, name, 7, null)));
    }

    private static List<String> names(PartitioningKind kind) {
        return kind == PartitioningKind.EDGE ? List.of("cutwater", "sigma-edge") : Algorithms.names(kind);
    }

    static BulkRequest request(PartitioningKind kind, String algorithm, int k, @Nullable DuplicateRule dedupe) {
        return new BulkRequest(new PartitionerOptions(kind, algorithm, k, 3, PassMode.BULK, Map.of()), dedupe);
    }

    /** The edges that are left, each with its place. */
    static EdgeBatch place(BulkRequest request, EdgeBatch edges, Path scratch)
            throws IOException, InterruptedException {
        try (BulkRun run = BulkRun.create(request, scratch)) {
            for (EdgeBatch batch : pieces(edges, 100)) {
                run.add(batch);
            }
            run.place(BulkProgress.NONE);
            assertThat(run.edgeCount()).isEqualTo(edges.size());
            return filled(run, edges, 0, 37);
        }
    }

    private static EdgeBatch filled(BulkRun run, EdgeBatch edges, int from, int batchSize) throws IOException {
        EdgeBatch placed = new EdgeBatch();
        int next = from;
        try (PlacedInput places = run.places(from)) {
            while (next < edges.size()) {
                EdgeBatch batch = new EdgeBatch();
                for (int i = 0; i < batchSize && next < edges.size(); i++) {
                    batch.addFrom(edges, next++);
                }
                int size = batch.size();
                assertThat(places.fill(batch)).isEqualTo(size - batch.size());
                placed.addAll(batch);
            }
        }
        return placed;
    }

    private static Iterable<EdgeBatch> pieces(EdgeBatch edges, int size) {
        Map<Integer, EdgeBatch> pieces = new HashMap<>();
        for (int i = 0; i < edges.size(); i++) {
            pieces.computeIfAbsent(i / size, p -> new EdgeBatch()).addFrom(edges, i);
        }
        return pieces.values();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("requests")
    void everyEdgeHasAPlaceInTheOrderOfTheInputAndNothingIsLeftBehind(BulkRequest request) throws Exception {
        for (long seed = 0; seed < 10; seed++) {
            EdgeBatch edges = RandomGraphs.graph(seed);
            Path scratch = folder.resolve("scratch");
            EdgeBatch placed = place(request, edges, scratch);
            assertThat(placed.size()).as("seed %d", seed).isEqualTo(edges.size());
            Map<Long, Integer> owners = new HashMap<>();
            for (int i = 0; i < placed.size(); i++) {
                assertThat(placed.source(i)).isEqualTo(edges.source(i));
                int place = placed.place(i);
                if (request.options().kind() == PartitioningKind.EDGE) {
                    assertThat(Place.ofSource(place)).isBetween(0, 6);
                    assertThat(place).isEqualTo(Place.of(Place.ofSource(place)));
                } else {
                    Integer ofSource = owners.put(edges.source(i), Place.ofSource(place));
                    assertThat(ofSource == null ? Place.ofSource(place) : ofSource)
                            .isEqualTo(Place.ofSource(place))
                            .isBetween(0, 6);
                    Integer ofTarget = owners.put(edges.target(i), Place.ofTarget(place));
                    assertThat(ofTarget == null ? Place.ofTarget(place) : ofTarget)
                            .isEqualTo(Place.ofTarget(place))
                            .isBetween(0, 6);
                }
            }
            assertThat(folder).isEmptyDirectory();
        }
    }

    static int[] places(EdgeBatch edges) {
        return IntStream.range(0, edges.size()).map(edges::place).toArray();
    }

    @Test
    void leavesOutWhatTheFilterOfDuplicatesLeavesOut() throws Exception {
        for (DuplicateRule rule : DuplicateRule.values()) {
            for (long seed = 0; seed < 20; seed++) {
                EdgeBatch edges = RandomGraphs.graph(seed);
                EdgeBatch copy = new EdgeBatch();
                copy.addAll(edges);
                EdgeBatch distinct = DistinctEdges.inMemory(rule).of(copy);
                EdgeBatch placed =
                        place(request(PartitioningKind.EDGE, "cutwater", 3, rule), edges, folder.resolve("scratch"));
                EdgeBatch alone =
                        place(request(PartitioningKind.EDGE, "cutwater", 3, null), distinct, folder.resolve("scratch"));
                assertThat(placed.size()).as("seed %d", seed).isEqualTo(distinct.size());
                for (int i = 0; i < placed.size(); i++) {
                    assertThat(placed.source(i)).isEqualTo(distinct.source(i));
                    assertThat(placed.target(i)).isEqualTo(distinct.target(i));
                    assertThat(placed.place(i)).isEqualTo(alone.place(i));
                }
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("requests")
    void placesWhatIsLeftAsIfTheRestHadNeverBeen(BulkRequest asked) throws Exception {
        for (DuplicateRule rule : new DuplicateRule[] {null, DuplicateRule.DIRECTED, DuplicateRule.UNDIRECTED}) {
            for (long seed = 1; seed < 4; seed++) {
                EdgeBatch rows = NetEdges.sequence(seed);
                NetEdges net = new NetEdges(rows, rule);
                EdgeBatch left = net.of(rows);
                BulkRequest request = new BulkRequest(asked.options(), rule);
                EdgeBatch placed = place(request, rows, folder.resolve("scratch"));
                EdgeBatch alone = place(request, left, folder.resolve("scratch"));
                assertThat(places(placed)).as("%s, seed %d", rule, seed).isEqualTo(places(alone));
                for (int i = 0; i < left.size(); i++) {
                    assertThat(placed.source(i)).isEqualTo(left.source(i));
                    assertThat(placed.target(i)).isEqualTo(left.target(i));
                    assertThat(placed.isRemoval(i)).isFalse();
                }
            }
        }
    }

    /** Expected counts of the rows that are left out: duplicates, and removals without an edge. */
    @Test
    void marksLeaveInWhatIsToBeCounted() throws Exception {
        EdgeBatch rows = NetEdges.sequence(5);
        NetEdges net = new NetEdges(rows, DuplicateRule.DIRECTED);
        BulkRequest request = request(PartitioningKind.EDGE, "cutwater", 3, DuplicateRule.DIRECTED);
        try (BulkRun run = BulkRun.create(request, folder)) {
            run.add(rows);
            run.place(BulkProgress.NONE);
            run.keep();
        }
        EdgeBatch marked = new EdgeBatch();
        marked.addAll(rows);
        try (BulkRun again = BulkRun.create(request, folder);
                PlacedInput places = again.places(0)) {
            assertThat(again.unknownRemovals()).isEqualTo(net.unknownRemovals()).isPositive();
            places.mark(marked);
        }
        int[] unplaced = IntStream.range(0, marked.size())
                .filter(i -> marked.place(i) == EdgeBatch.NO_PLACE)
                .toArray();
        assertThat(IntStream.of(unplaced).filter(marked::isRemoval).count()).isEqualTo(net.unknownRemovals());
        assertThat(IntStream.of(unplaced).filter(i -> !marked.isRemoval(i)).count())
                .isEqualTo(net.duplicates());
        int[] taken = IntStream.range(0, marked.size())
                .filter(i -> marked.place(i) == EdgeBatch.TAKEN_AWAY)
                .toArray();
        assertThat(taken).hasSize(rows.size() - net.of(rows).size() - unplaced.length);
        assertThat(IntStream.of(taken).filter(marked::isRemoval).count()).isEqualTo(taken.length / 2);
    }

    @Test
    void aCompleteRunThatWasKeptIsTakenUpAnywhereInTheInput() throws Exception {
        EdgeBatch edges = RandomGraphs.graph(3);
        BulkRequest request = request(PartitioningKind.EDGE, "cutwater", 4, DuplicateRule.UNDIRECTED);
        EdgeBatch expected;
        try (BulkRun run = BulkRun.create(request, folder)) {
            run.add(edges);
            run.place(BulkProgress.NONE);
            expected = filled(run, edges, 20, 10);
            run.keep();
        }
        try (BulkRun run = BulkRun.create(request, folder)) {
            assertThat(run.isComplete()).isTrue();
            assertThat(run.edgeCount()).isEqualTo(edges.size());
            run.place(BulkProgress.NONE);
            EdgeBatch again = filled(run, edges, 20, 7);
            assertThat(again.size()).isEqualTo(expected.size());
            for (int i = 0; i < again.size(); i++) {
                assertThat(again.place(i)).isEqualTo(expected.place(i));
            }
            assertThatThrownBy(() -> run.add(edges)).hasMessage("the run is complete: it takes no more edges");
            run.keep();
        }
        assertThatThrownBy(() -> BulkRun.create(request(PartitioningKind.EDGE, "cutwater", 5, null), folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds the places of another run")
                .hasMessageContaining("k=4");
    }

    @Test
    void whatAnUnfinishedRunLeftIsOverwritten() throws Exception {
        Files.write(folder.resolve("places"), new byte[1000]);
        EdgeBatch edges = RandomGraphs.graph(3);
        BulkRequest request = request(PartitioningKind.VERTEX, "ldg", 4, null);
        assertThat(place(request, edges, folder).size()).isEqualTo(edges.size());
    }

    @Test
    void moreEdgesThanWerePlacedAreRefused() throws Exception {
        EdgeBatch edges = RandomGraphs.graph(3);
        try (BulkRun run = BulkRun.create(request(PartitioningKind.EDGE, "cutwater", 4, null), folder)) {
            run.add(edges);
            assertThatThrownBy(() -> run.places(0)).hasMessage("the run is not complete: place() comes first");
            run.place(BulkProgress.NONE);
            try (PlacedInput places = run.places(1)) {
                assertThatThrownBy(() -> places.fill(edges))
                        .isInstanceOf(EOFException.class)
                        .hasMessageContaining("the input has more edges than when it was placed");
            }
        }
    }

    @Test
    void stopsWhenItsThreadIsInterrupted() throws Exception {
        try (BulkRun run = BulkRun.create(request(PartitioningKind.EDGE, "cutwater", 4, null), folder)) {
            run.add(RandomGraphs.graph(3));
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> run.place(BulkProgress.NONE)).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
        }
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request(PartitioningKind.EDGE, "hdrf", 4, null))
                .withMessageStartingWith("hdrf with these settings places a stream of edges, not a graph");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request(PartitioningKind.VERTEX, "hdrf", 4, null))
                .withMessageStartingWith("there is no vertex partitioner named 'hdrf'");
        PartitionerOptions options = PartitionerOptions.ofEdges("cutwater", 4, 3, PassMode.BULK, Map.of("window", "1"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BulkRequest(options, null))
                .withMessageContaining("cutwater has no setting named 'window'");
        PartitionerOptions sigma =
                PartitionerOptions.ofEdges("sigma-edge", 4, 3, PassMode.BULK, Map.of("clustering", "edge-stream"));
        assertThat(Algorithms.get(PartitioningKind.EDGE, sigma.algorithm()).isPlacedAsGraph(sigma))
                .isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BulkRequest(sigma, null))
                .withMessageContaining("places a stream of edges, not a graph");
    }
}
