package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.algorithm.cutwater.CutwaterVertexPartitioner;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.passes.VertexPassRunner;
import io.cutwater.state.rule.VertexPlacement;
import io.cutwater.state.table.MapVertexStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Vertices that get their owners together, a buffer of edges at a time. */
class JointOwnersTest {
    private static final int K = 8;

    /** A placement over a table that keeps few vertices, and what it has placed. */
    private static final class Run implements PlacedEdges {
        private final PartitionerOptions options;
        private final MapVertexStore store = new MapVertexStore();
        private final List<String> placed = new ArrayList<>();
        private VertexTable vertices;
        private PartitionLoads loads = new PartitionLoads(K);
        private Placement placement;

        Run(String setting, int size) {
            this(Map.of(setting, Integer.toString(size)));
        }

        Run(Map<String, String> settings) {
            options = PartitionerOptions.ofVertices("cutwater", K, 5, PassMode.LIVE, settings);
            begin(0);
        }

        private void begin(long vertexCount) {
            Algorithm algorithm = Algorithms.of(options);
            vertices =
                    new VertexTable(algorithm.layout(options), store, 50_000, vertexCount, VertexTable.Listener.NONE);
            placement = algorithm.placement(options, vertices, loads, null);
        }

        @Override
        public void placed(long source, long target, double weight, long timestamp, long key, int place) {
            placed.add(source + " " + target + " " + place);
        }

        void accept(EdgeBatch edges, int from, int to) {
            EdgeBatch batch = new EdgeBatch();
            for (int i = from; i < to; i++) {
                batch.addFrom(edges, i);
            }
            placement.accept(batch, this);
        }

        void restart() {
            List<byte[]> snapshot = placement.snapshot();
            EdgeBatch held = placement.heldEdges();
            placement.dropPlan();
            vertices.flush();
            loads = new PartitionLoads(loads.edges(), loads.vertices(), loads.totalVertices());
            begin(vertices.vertexCount());
            placement.restore(snapshot, held);
        }

        double cut() {
            return placement.quality(0).edgeCutRatio().orElseThrow();
        }
    }

    private static EdgeBatch graph(int size) {
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph.growingCommunities(40, 7).fill(edges, size - size / 8);
        SyntheticGraph.rmat(10, 7).fill(edges, size / 8);
        return edges;
    }

    /** Edges with communities, then as many without, then such with communities again. */
    private static EdgeBatch mixed(int size) {
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph communities = SyntheticGraph.growingCommunities(10, 7);
        communities.fill(edges, size / 3);
        SyntheticGraph.rmat(22, 7).fill(edges, size / 3);
        communities.fill(edges, size - edges.size());
        return edges;
    }

    private static Run whole(EdgeBatch edges, String setting, int size) {
        return whole(edges, new Run(setting, size));
    }

    private static Run whole(EdgeBatch edges, Run run) {
        run.accept(edges, 0, edges.size());
        run.placement.placeHeld(run);
        assertThat(run.placement.heldCount()).isZero();
        return run;
    }

    private static double bulkCut(EdgeBatch edges) {
        AdjacencyGraph graph = AdjacencyGraph.of(edges);
        PartitionerOptions options = PartitionerOptions.ofVertices("cutwater", K, 5, PassMode.BULK, Map.of());
        GraphSize size = new GraphSize(graph.vertexCount(), graph.edgeCount());
        VertexPlacement places = VertexPassRunner.place(graph, new CutwaterVertexPartitioner(options, size), K);
        int cut = 0;
        for (int i = 0; i < edges.size(); i++) {
            cut += places.partition(graph.source(i)) == places.partition(graph.target(i)) ? 0 : 1;
        }
        return (double) cut / edges.size();
    }

    @Test
    void aBufferOfTheWholeGraphIsPlacedAsInBulk() {
        EdgeBatch edges = graph(20_000);
        Run run = new Run("buffer", 50_000);
        run.accept(edges, 0, edges.size());
        assertThat(run.placed).isEmpty();
        run.placement.placeHeld(run);
        assertThat(run.cut()).isBetween(0.98 * bulkCut(edges), 1.02 * bulkCut(edges));
    }

    @ParameterizedTest(name = "buffer {0}, within {1} of the window")
    @CsvSource({"1000, 0.95", "5000, 0.95"})
    void aBufferCutsFewerEdgesThanAWindowOfItsSize(int size, double most) {
        EdgeBatch edges = graph(10_000);
        assertThat(whole(edges, "buffer", size).cut())
                .isLessThan(most * whole(edges, "window", size).cut());
    }

    /** Though the surest vertices of a plan often belong to one partition, which has no room for all of them. */
    @Test
    void aPlanLetsAQuarterOfABufferGoWhereverThereIsRoom() {
        EdgeBatch edges = graph(10_000);
        Run run = new Run("buffer", 1000);
        int plans = 0;
        for (int i = 0; i < edges.size(); i++) {
            int before = run.placement.heldCount();
            run.accept(edges, i, i + 1);
            if (run.placement.heldCount() < before) {
                plans++;
                assertThat(run.placement.heldCount()).isLessThanOrEqualTo(1125 - 250);
            }
        }
        assertThat(plans).isGreaterThan(10);
        run.placement.placeHeld(run);
    }

    @ParameterizedTest(name = "slack {0}")
    @ValueSource(strings = {"1.2", "1.4"})
    void plansOfAPartKeepTheLiveCapOnVolume(String slack) {
        Run run = whole(graph(20_000), new Run(Map.of("buffer", "2000", "live-volume-slack", slack)));
        double balance = run.placement.quality(0).volumeBalance().orElseThrow();
        assertThat(balance).isLessThan(Double.parseDouble(slack) + 0.05);
        Run asInBulk = whole(graph(20_000), new Run(Map.of("buffer", "2000", "volume-slack", "1.1")));
        assertThat(run.cut()).isLessThan(asInBulk.cut());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7})
    void theOwnersAreTheSameWhereverBatchesAndRestartsAre(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int size = random.nextInt(500, 3000);
        EdgeBatch edges = seed % 2 == 0 ? mixed(size) : graph(size);
        int buffer = random.nextInt(1, 800);
        Run cut = new Run("buffer", buffer);
        for (int from = 0; from < edges.size(); ) {
            int to = Math.min(edges.size(), from + random.nextInt(1, 400));
            cut.accept(edges, from, to);
            assertThat(cut.placement.heldCount()).isLessThan(Math.max(2, buffer + buffer / 8));
            if (random.nextInt(4) == 0) {
                cut.restart();
            }
            from = to;
        }
        cut.placement.placeHeld(cut);
        assertThat(cut.placed).isEqualTo(whole(edges, "buffer", buffer).placed);
    }

    @Test
    void aRestartBehindEveryEdgeChangesNothing() {
        EdgeBatch edges = graph(700);
        Run whole = new Run("buffer", 64);
        whole.accept(edges, 0, 700);
        Run restarted = new Run("buffer", 64);
        for (int i = 0; i < 700; i++) {
            restarted.accept(edges, i, i + 1);
            restarted.restart();
        }
        whole.placement.placeHeld(whole);
        restarted.placement.placeHeld(restarted);
        assertThat(restarted.placed).hasSize(700).isEqualTo(whole.placed);
    }

    /** The checkpoint of a job cuts the buffer before its snapshot, and a crash comes behind it. */
    @ParameterizedTest(name = "cut behind {0} edges")
    @ValueSource(ints = {1, 63, 64, 67, 100, 500})
    void aCutIsPlacedBehindARestartAsWithoutOne(int edgeCount) {
        EdgeBatch edges = graph(600);
        Run run = new Run("buffer", 64);
        Run restarted = new Run("buffer", 64);
        for (Run one : List.of(run, restarted)) {
            one.accept(edges, 0, edgeCount);
            one.placement.cut(2);
            one.accept(edges, edgeCount, edgeCount + 1);
            one.placement.cut(2);
        }
        int before = run.placed.size();
        restarted.restart();
        for (Run one : List.of(run, restarted)) {
            assertThat(one.placed).hasSize(before);
            one.placement.placeCut(one);
            assertThat(one.placement.heldCount()).isLessThanOrEqualTo(1);
            one.accept(edges, edgeCount + 1, 600);
            one.placement.placeHeld(one);
        }
        assertThat(restarted.placed).hasSize(600).isEqualTo(run.placed);
    }

    @Test
    void verticesBehindABufferThatShowsNoCommunitiesGetTheirOwnersOneByOne() {
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph.rmat(22, 5).fill(edges, 6000);
        Run run = new Run("buffer", 2000);
        run.accept(edges, 0, 2000);
        assertThat(run.placed).isEmpty();
        run.accept(edges, 2000, 2250);
        assertThat(run.placement.snapshot()).anyMatch(piece -> piece.length == 14 && piece[0] == 'B' && piece[1] == 1);
        for (int from = 2250; from < 4000; from += 250) {
            int before = run.placed.size();
            run.accept(edges, from, from + 250);
            assertThat(run.placed.size() - before).isPositive();
        }
        assertThat(run.placement.heldCount()).isLessThan(2000);
    }

    @Test
    void edgesWithoutCommunitiesAreCutNoMoreOftenThanWithoutABuffer() {
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph.rmat(22, 5).fill(edges, 20_000);
        assertThat(whole(edges, "buffer", 2000).cut())
                .isLessThan(1.01 * whole(edges, "window", 1999).cut());
    }

    @Test
    void aRestartInAPauseChangesNothing() {
        EdgeBatch edges = mixed(900);
        Run whole = whole(edges, "buffer", 64);
        Run restarted = new Run("buffer", 64);
        int paused = 0;
        for (int from = 0; from < 900; from += 3) {
            restarted.accept(edges, from, from + 3);
            paused += restarted.placement.snapshot().stream().anyMatch(piece -> piece[0] == 'B') ? 1 : 0;
            restarted.restart();
        }
        restarted.placement.placeHeld(restarted);
        assertThat(paused).isPositive();
        assertThat(restarted.placed).isEqualTo(whole.placed);
    }

    @Test
    void theLoadsOfAPlanAreInTheSnapshotInVersion1() {
        Run run = new Run("buffer", 16);
        EdgeBatch edges = new EdgeBatch();
        for (int leaf = 1; leaf <= 17; leaf++) {
            edges.add(0, leaf);
        }
        run.accept(edges, 0, 17);
        List<byte[]> snapshot = run.placement.snapshot();
        run.placement.dropPlan();
        String nothingOwned = "00000000000000000000000000000000".repeat(K);
        assertThat(snapshot.get(snapshot.size() - 2))
                .isEqualTo(HexFormat.of().parseHex("4301" + "00000010" + "00000000" + "00000000"));
        byte[] piece = snapshot.get(snapshot.size() - 1);
        assertThat(piece).isEqualTo(HexFormat.of().parseHex("4f01" + "00000008" + "0000000000000000" + nothingOwned));

        Run window = new Run("window", 1000);
        window.placement.restore(snapshot, run.placement.heldEdges()); // goes on without a buffer
        assertThat(window.placement.heldCount()).isEqualTo(17);

        byte[] later = piece.clone();
        later[1]++;
        List<byte[]> ofLater = new ArrayList<>(snapshot);
        ofLater.set(snapshot.size() - 1, later);
        Run other = new Run("buffer", 16);
        assertThatIllegalStateException()
                .isThrownBy(() -> other.placement.restore(ofLater, run.placement.heldEdges()))
                .withMessageContaining("version 2");
    }

    /** A plan goes by what is owned when it begins; edges between owned vertices come while it is made. */
    @Test
    void edgesThatArePlacedWhileOwnersAreChosenChangeNothingBehindARestart() {
        EdgeBatch edges = graph(3000);
        Run whole = new Run("buffer", 400);
        whole.accept(edges, 0, 3000);
        whole.placement.placeHeld(whole);
        Run restarted = new Run("buffer", 400);
        int placedMeanwhile = 0;
        for (int from = 0; from < 3000; from += 10) {
            int before = restarted.placed.size();
            restarted.accept(edges, from, from + 10);
            int placed = restarted.placed.size() - before;
            placedMeanwhile +=
                    placed > 0 && placed < 10 && restarted.placement.snapshot().size() == 4 ? 1 : 0;
            restarted.restart();
        }
        restarted.placement.placeHeld(restarted);
        assertThat(placedMeanwhile).isPositive();
        assertThat(restarted.placed).isEqualTo(whole.placed);
    }

    @Test
    void edgesThatHaveWaitedTooLongArePlacedAndTheOthersWait() {
        EdgeBatch edges = graph(600);
        Run run = new Run("buffer", 10_000);
        run.accept(edges, 0, 250);
        long before = run.placement.heldEver();
        run.accept(edges, 250, 600);
        run.placement.placeHeldBefore(before, run);
        assertThat(run.placed).hasSizeBetween(250, 599);
        int waiting = run.placement.heldCount();
        run.placement.placeHeldBefore(before, run);
        assertThat(run.placement.heldCount()).isEqualTo(waiting);
    }
}
