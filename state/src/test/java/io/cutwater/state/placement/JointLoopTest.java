package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.algorithm.cutwater.CutwaterBulkOptions;
import io.cutwater.state.algorithm.cutwater.CutwaterBulkPartitioner;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.rule.RunningCap;
import io.cutwater.state.table.MapVertexStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JointLoopTest {
    private static final double IMBALANCE = 0.05;

    /** A placement over a table that keeps few vertices, and what it has placed: the timestamps are the edges. */
    private static final class Run implements PlacedEdges {
        private final PartitionerOptions options;
        private final MapVertexStore store = new MapVertexStore();
        private final List<Long> order = new ArrayList<>();
        private final Map<Long, Integer> places = new HashMap<>();
        private VertexTable vertices;
        private PartitionLoads loads;
        private Placement placement;

        Run(int partitionCount, int buffer) {
            this(options(partitionCount, buffer));
        }

        Run(PartitionerOptions options) {
            this.options = options;
            loads = new PartitionLoads(options.partitionCount());
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
            assertThat(places.put(timestamp, Place.ofSource(place))).isNull();
            order.add(timestamp);
        }

        void accept(EdgeBatch edges, int from, int to) {
            EdgeBatch batch = new EdgeBatch();
            for (int i = from; i < to; i++) {
                batch.addFrom(edges, i);
            }
            placement.accept(batch, this);
            checkCap();
        }

        void checkCap() {
            int k = loads.partitionCount();
            double cap = RunningCap.of((double) loads.totalEdges() / k, IMBALANCE);
            assertThat((double) loads.maxEdges()).isLessThanOrEqualTo(Math.ceil(cap));
        }

        /** Goes on from what a checkpoint would hold. */
        void restart() {
            List<byte[]> snapshot = placement.snapshot();
            EdgeBatch held = placement.heldEdges();
            placement.dropPlan();
            vertices.flush();
            loads = new PartitionLoads(loads.edges(), loads.vertices(), loads.totalVertices());
            begin(vertices.vertexCount());
            placement.restore(snapshot, held);
        }

        void end() {
            placement.placeHeld(this);
            checkCap();
            assertThat(placement.heldCount()).isZero();
        }

        double replicationFactor() {
            return (double) loads.totalReplicas() / loads.totalVertices();
        }
    }

    private static PartitionerOptions options(int partitionCount, int buffer) {
        return PartitionerOptions.ofEdges(
                "cutwater", partitionCount, 5, PassMode.LIVE, Map.of("buffer", Integer.toString(buffer)));
    }

    /** Edges whose timestamps are their numbers, in an order in which communities come mixed. */
    private static EdgeBatch graph(int size, long seed) {
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph.growingCommunities(40, seed).fill(edges, size - size / 8);
        SyntheticGraph.rmat(10, seed).fill(edges, size / 8);
        return numbered(edges);
    }

    /** As many edges with communities, then as many without, then such with communities again. */
    private static EdgeBatch mixed(int size, long seed) {
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph communities = SyntheticGraph.growingCommunities(10, seed);
        communities.fill(edges, size / 3);
        SyntheticGraph.rmat(22, seed).fill(edges, size / 3);
        communities.fill(edges, size - edges.size());
        return numbered(edges);
    }

    private static EdgeBatch numbered(EdgeBatch edges) {
        for (int i = 0; i < edges.size(); i++) {
            edges.setTimestamp(i, i);
        }
        return edges;
    }

    private static double bulkReplicationFactor(EdgeBatch edges, int partitionCount) {
        AdjacencyGraph graph = AdjacencyGraph.sorted(edges);
        int[] places = CutwaterBulkPartitioner.place(graph, new CutwaterBulkOptions(partitionCount, 1 + IMBALANCE, 5));
        Set<Long> replicas = new HashSet<>();
        for (int i = 0; i < places.length; i++) {
            replicas.add((long) graph.source(i) * partitionCount + places[i]);
            replicas.add((long) graph.target(i) * partitionCount + places[i]);
        }
        return (double) replicas.size() / graph.vertexCount();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void placesEachEdgeOnceBelowTheCapWhereverBatchesAndRestartsAre(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int size = random.nextInt(500, 5000);
        int buffer = random.nextInt(1, 1200);
        int partitionCount = random.nextInt(1, 80);
        EdgeBatch edges = seed % 2 == 0 ? mixed(size, seed) : graph(size, seed);
        Run whole = new Run(partitionCount, buffer);
        whole.accept(edges, 0, size);
        whole.end();
        assertThat(whole.places).hasSize(size);

        Run cut = new Run(partitionCount, buffer);
        for (int from = 0; from < size; ) {
            int to = Math.min(size, from + random.nextInt(1, 400));
            cut.accept(edges, from, to);
            assertThat(cut.placement.heldCount()).isLessThan(Math.max(2, buffer + buffer / 8));
            if (random.nextInt(4) == 0) {
                cut.restart();
            }
            from = to;
        }
        cut.end();
        assertThat(cut.order).isEqualTo(whole.order);
        assertThat(cut.places).isEqualTo(whole.places);
    }

    @Test
    void aRestartBehindEveryEdgeChangesNothing() {
        EdgeBatch edges = graph(500, 3);
        Run whole = new Run(4, 64);
        whole.accept(edges, 0, 500);
        Run cut = new Run(4, 64);
        for (int i = 0; i < 500; i++) {
            cut.accept(edges, i, i + 1);
            cut.restart();
        }
        whole.end();
        cut.end();
        assertThat(cut.order).isEqualTo(whole.order);
        assertThat(cut.places).isEqualTo(whole.places);
    }

    /** The checkpoint of a job cuts the buffer before its snapshot, and a crash comes behind it. */
    @ParameterizedTest(name = "cut behind {0} edges")
    @ValueSource(ints = {1, 63, 64, 67, 100, 500})
    void aCutIsPlacedBehindARestartAsWithoutOne(int edgeCount) {
        EdgeBatch edges = graph(600, 3);
        Run run = new Run(4, 64);
        Run restarted = new Run(4, 64);
        for (Run one : List.of(run, restarted)) {
            one.accept(edges, 0, edgeCount);
            one.placement.cut(2);
            one.accept(edges, edgeCount, edgeCount + 1);
            one.placement.cut(2);
        }
        int before = run.order.size();
        restarted.restart();
        for (Run one : List.of(run, restarted)) {
            assertThat(one.order).hasSize(before);
            one.placement.placeCut(one);
            assertThat(one.placement.heldCount()).isLessThanOrEqualTo(1); // none if edges come one by one
            one.placement.placeCut(one);
            one.accept(edges, edgeCount + 1, 600);
            one.end();
        }
        assertThat(restarted.order).isEqualTo(run.order);
        assertThat(restarted.places).isEqualTo(run.places);
    }

    @Test
    void whereABufferIsCutIsInTheSnapshotInVersion1() {
        EdgeBatch edges = graph(600, 3);
        Run run = new Run(4, 400);
        run.accept(edges, 0, 3);
        run.placement.cut(2);
        run.accept(edges, 3, 410);
        run.placement.cut(2);
        List<byte[]> snapshot = run.placement.snapshot();
        // places for 400 edges are being chosen, 3 edges are due, and 410 are buffered at this checkpoint
        byte[] piece = snapshot.get(snapshot.size() - 1);
        assertThat(piece)
                .isEqualTo(HexFormat.of().parseHex("4301" + "00000190" + "00000003" + "00000001" + "0000019a"));

        Run single = new Run(PartitionerOptions.ofEdges("cutwater", 4, 5, PassMode.LIVE, Map.of()));
        single.placement.restore(snapshot, run.placement.heldEdges()); // goes on without a buffer
        assertThat(single.placement.heldCount()).isEqualTo(410);

        byte[] later = piece.clone();
        later[1] = 3;
        Run other = new Run(4, 400);
        assertThatIllegalStateException()
                .isThrownBy(() -> other.placement.restore(List.of(snapshot.get(0), later), run.placement.heldEdges()))
                .withMessageContaining("version 3");
        assertThatIllegalStateException()
                .isThrownBy(() -> new Run(4, 400).placement.restore(List.of(snapshot.get(0), piece), new EdgeBatch()))
                .withMessageContaining("counts 400 where there are 0");
        run.placement.dropPlan();
    }

    @Test
    void whereOneOfSeveralCutsItsBufferIsInVersion2AndSaysNothingToOthers() {
        EdgeBatch edges = graph(600, 3);
        Run run = new Run(4, 400);
        run.placement.shareVertices(1, 3);
        run.accept(edges, 0, 3);
        run.placement.cut(1);
        List<byte[]> snapshot = run.placement.snapshot();
        byte[] piece = snapshot.get(snapshot.size() - 1);
        assertThat(piece)
                .isEqualTo(HexFormat.of()
                        .parseHex("4302" + "00000001" + "00000003" + "00000000" + "00000003" + "00000000"));

        Run same = new Run(4, 400);
        same.placement.shareVertices(1, 3);
        same.placement.restore(snapshot, run.placement.heldEdges());
        same.placement.placeCut(same);
        assertThat(same.places).hasSize(3);
        for (int assigners = 2; assigners <= 3; assigners++) {
            Run other = new Run(4, 400);
            other.placement.shareVertices(0, assigners);
            other.placement.restore(snapshot, run.placement.heldEdges());
            other.placement.placeCut(other);
            assertThat(other.placement.heldCount()).isEqualTo(3);
        }
    }

    @Test
    void aBufferOfTheWholeGraphIsPlacedAsInBulk() {
        EdgeBatch edges = graph(20_000, 7);
        Run run = new Run(8, 50_000);
        run.accept(edges, 0, edges.size());
        assertThat(run.placement.placedEdges()).isZero();
        run.end();
        double bulk = bulkReplicationFactor(edges, 8);
        assertThat(run.replicationFactor()).isBetween(0.98 * bulk, 1.02 * bulk);
    }

    @ParameterizedTest(name = "buffer {0}, within {1} of bulk")
    @CsvSource({"2000, 1.15", "10000, 1.05"})
    void aBufferOfAPartIsNearBulk(int buffer, double most) {
        EdgeBatch edges = graph(20_000, 7);
        Run run = new Run(8, buffer);
        run.accept(edges, 0, edges.size());
        run.end();
        assertThat(run.replicationFactor()).isLessThan(most * bulkReplicationFactor(edges, 8));
    }

    @Test
    void edgesBehindABufferThatShowsNoCommunitiesArePlacedOneByOne() {
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph.rmat(22, 5).fill(edges, 20_000);
        numbered(edges);
        Run run = new Run(8, 2000);
        run.accept(edges, 0, 1999);
        assertThat(run.order).isEmpty();
        run.accept(edges, 1999, 2000);
        for (int from = 2000; from < 4000; from += 500) { // as many as the buffer had
            int before = run.order.size();
            run.accept(edges, from, from + 500);
            assertThat(run.order.size() - before).isGreaterThan(250);
        }
        run.accept(edges, 4000, 5000); // then a buffer
        assertThat(run.placement.heldCount()).isBetween(1000, 1999);
        int before = run.order.size();
        run.accept(edges, 5000, 5250);
        assertThat(run.order).hasSize(before);
    }

    @Test
    void communitiesAreSeenAgainAfterEdgesWithoutThem() {
        EdgeBatch edges = mixed(30_000, 3);
        Run run = new Run(8, 1000);
        int most = 0;
        run.accept(edges, 0, 25_000);
        for (int from = 25_000; from < edges.size(); from += 100) {
            int before = run.order.size();
            run.accept(edges, from, from + 100);
            most = Math.max(most, run.order.size() - before);
        }
        assertThat(most).isGreaterThanOrEqualTo(500); // half of a buffer at once
    }

    @Test
    void edgesWithoutCommunitiesCostNoMoreReplicasThanWithoutABuffer() {
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph.rmat(22, 5).fill(edges, 30_000);
        numbered(edges);
        Run buffered = new Run(8, 2000);
        buffered.accept(edges, 0, edges.size());
        buffered.end();
        Run single = new Run(PartitionerOptions.ofEdges("cutwater", 8, 5, PassMode.LIVE, Map.of("window", "1999")));
        single.accept(edges, 0, edges.size());
        single.end();
        assertThat(buffered.replicationFactor()).isLessThan(1.01 * single.replicationFactor());
    }

    @Test
    void theStateOfTheLoopIsInTheSnapshotInVersion1() {
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph.rmat(22, 5).fill(edges, 2350);
        numbered(edges);
        Run run = new Run(4, 2000);
        run.accept(edges, 0, edges.size());
        List<byte[]> snapshot = run.placement.snapshot();
        // one buffer of single edges, of which 1900 have not come
        assertThat(snapshot.get(snapshot.size() - 1)).containsExactly(66, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 7, 108);

        Run single = new Run(PartitionerOptions.ofEdges("cutwater", 4, 5, PassMode.LIVE, Map.of()));
        single.placement.restore(snapshot, run.placement.heldEdges()); // goes on without a buffer
        assertThat(single.placement.heldCount()).isEqualTo(run.placement.heldCount());

        byte[] later = snapshot.get(snapshot.size() - 1).clone();
        later[1]++;
        Run other = new Run(4, 2000);
        assertThatIllegalStateException()
                .isThrownBy(() -> other.placement.restore(List.of(snapshot.get(0), later), new EdgeBatch()))
                .withMessageContaining("version 2");
    }

    @Test
    void edgesThatHaveWaitedTooLongArePlacedAndTheOthersWait() {
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph.growingCommunities(5, 3).fill(edges, 600);
        numbered(edges);
        Run run = new Run(5, 10_000);
        run.accept(edges, 0, 250);
        long before = run.placement.heldEver();
        run.accept(edges, 250, 600);
        run.placement.placeHeldBefore(before, run);
        run.checkCap();
        assertThat(run.order).hasSize(250).allMatch(edge -> edge < 250);
        assertThat(run.placement.heldCount()).isEqualTo(350);
        run.placement.placeHeldBefore(before, run);
        assertThat(run.order).hasSize(250);
    }
}
