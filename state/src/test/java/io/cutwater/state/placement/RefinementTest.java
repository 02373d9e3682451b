package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.joint.JointVertexRule;
import io.cutwater.state.joint.OwnedSoFar;
import io.cutwater.state.joint.OwnerBuffer;
import io.cutwater.state.joint.OwnerMoves;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.store.MapAdjacencyStore;
import io.cutwater.state.table.MapVertexStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Edges and vertices that move to better places while others come. */
class RefinementTest {
    private static final int K = 5;
    private static final int LAG = 400;
    private static final double SHARE = 0.2;
    private static final int EDGES = 8_000;

    /** Where the first piece of the state says when the next region is looked at. */
    private static final int NEXT_REGION = 8 + 4 + 8 + 8 + 4 + 4;

    private static final String QUEUE =
            "0000000000000001000000000000000200000000" + "fffffffffffffffd000000000000000200000000";

    private static EdgeBatch graph() {
        return graph(7);
    }

    private static EdgeBatch graph(long seed) {
        EdgeBatch graph = new EdgeBatch();
        SyntheticGraph.growingCommunities(40, seed).fill(graph, EDGES);
        return graph;
    }

    /** A job that may go on in another attempt. */
    private static final class Run implements PlacedEdges {
        final PartitionerOptions options;
        final double share;
        final int lag;
        final MapVertexStore store = new MapVertexStore();
        final MapAdjacencyStore adjacency = new MapAdjacencyStore();
        final List<String> changes = new ArrayList<>();
        PartitionLoads loads = new PartitionLoads(K);
        VertexTable vertices;
        Placement placement;
        long placed;
        long moved;

        Run(PartitioningKind kind, String setting, double share) {
            this(kind, setting, share, LAG);
        }

        Run(PartitioningKind kind, String setting, double share, int lag) {
            options = new PartitionerOptions(
                    kind, "cutwater", K, 3, PassMode.LIVE, Map.of(setting.split("=")[0], setting.split("=")[1]));
            this.share = share;
            this.lag = lag;
            begin(0);
        }

        private void begin(long vertexCount) {
            Algorithm algorithm = Algorithms.of(options);
            vertices = new VertexTable(
                    algorithm.layout(options).withCounts(), store, 1 << 16, vertexCount, VertexTable.Listener.NONE);
            placement = algorithm.placement(
                    options,
                    vertices,
                    loads,
                    options.kind() == PartitioningKind.EDGE
                            ? StoredEdges.ofEdges(adjacency, 0)
                            : StoredEdges.ofVertices(adjacency, 0));
            if (share > 0) {
                placement.refine(share, lag);
            }
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

        @Override
        public void placed(long source, long target, double weight, long timestamp, long key, int place) {
            placed++;
            changes.add(source + " " + target + " " + place);
        }

        @Override
        public void changed(
                ShardChange change,
                long source,
                long target,
                double weight,
                long timestamp,
                long key,
                int shard,
                int place) {
            moved += change == ShardChange.EVICT ? 1 : 0;
            changes.add(change + " " + source + " " + target + " " + shard + " " + place);
            if (change == ShardChange.ADOPT && options.kind() == PartitioningKind.EDGE) {
                // The cap of the live rule, which an edge may reach.
                assertThat((double) loads.maxEdges()).isLessThan(1 + Math.max(150, 1.05 * placed / K + 24));
            }
        }

        Run stream(EdgeBatch graph, SplittableRandom random, boolean restarts) {
            for (int from = 0; from < graph.size(); ) {
                int to = Math.min(graph.size(), from + random.nextInt(1, 1500));
                EdgeBatch batch = new EdgeBatch();
                for (int i = from; i < to; i++) {
                    batch.addFrom(graph, i);
                }
                placement.accept(batch, this);
                from = to;
                if (restarts && random.nextInt(3) == 0) {
                    restart();
                }
            }
            return this;
        }

        /** Returns the replication factor, or the share of cut edges. */
        double end() {
            placement.placeHeld(this);
            Quality quality = placement.quality(0);
            return quality.edgeCutRatio().orElse(quality.replicationFactor());
        }
    }

    @ParameterizedTest
    @CsvSource({"EDGE, window=200", "VERTEX, window=200", "VERTEX, buffer=800"})
    void savesReplicasWithinTheShare(PartitioningKind kind, String setting) {
        double sum = 0;
        double sumAlone = 0;
        // A move that helps now may be in the way of later ones, so that one graph alone can get worse.
        for (long seed = 1; seed <= 4; seed++) {
            EdgeBatch graph = graph(seed);
            Run refined = new Run(kind, setting, SHARE).stream(graph, new SplittableRandom(1), false);
            assertThat(refined.placement.refinedEdges()).isPositive().isLessThanOrEqualTo((long)
                    (SHARE * refined.placed));
            Run alone = new Run(kind, setting, 0).stream(graph, new SplittableRandom(1), false);
            assertThat(alone.moved).isZero();
            sum += refined.end();
            sumAlone += alone.end();
        }
        assertThat(sum).isLessThan(0.99 * sumAlone);
    }

    @ParameterizedTest
    @CsvSource({
        "EDGE, window=200, 0.2",
        "EDGE, buffer=800, 0.2",
        "EDGE, buffer=80, 1",
        "VERTEX, window=200, 0.2",
        "VERTEX, buffer=800, 0.2",
        "VERTEX, window=20, 1",
        "VERTEX, buffer=80, 1"
    })
    void dependsNeitherOnBatchesNorOnRestarts(PartitioningKind kind, String setting, double share) {
        EdgeBatch graph = graph();
        List<String> changes = new Run(kind, setting, share).stream(graph, new SplittableRandom(1), false).changes;
        Run restarted = new Run(kind, setting, share).stream(graph, new SplittableRandom(2), true);
        assertThat(restarted.changes.hashCode()).isEqualTo(changes.hashCode());
    }

    /** No edge is looked at before the end, so that plans alone move vertices. */
    @ParameterizedTest
    @CsvSource({"40", "800"})
    void plansMoveVerticesAndRestartsWhileOneIsMadeChangeNothing(int buffer) {
        String setting = "buffer=" + buffer;
        EdgeBatch graph = graph();
        Run planned =
                new Run(PartitioningKind.VERTEX, setting, SHARE, 1 << 20).stream(graph, new SplittableRandom(1), false);
        assertThat(planned.placement.refinedEdges()).isPositive().isLessThanOrEqualTo((long) (SHARE * planned.placed));
        Run restarted = new Run(PartitioningKind.VERTEX, setting, SHARE, 1 << 20);
        EdgeBatch batch = new EdgeBatch();
        int meanwhile = 0;
        for (int i = 0; i < graph.size(); i++) {
            batch.addFrom(graph, i);
            if (batch.size() == 37 || i + 1 == graph.size()) {
                restarted.placement.accept(batch, restarted);
                batch.clear();
                meanwhile += OwnerMoves.of(restarted.placement.snapshot()).size();
                restarted.restart();
            }
        }
        assertThat(meanwhile).as("edges placed while plans are made").isPositive();
        assertThat(restarted.changes.hashCode()).isEqualTo(planned.changes.hashCode());
        Run alone = new Run(PartitioningKind.VERTEX, setting, 0).stream(graph, new SplittableRandom(1), false);
        assertThat(planned.end()).isLessThan(alone.end());
    }

    /** A plan reads the tables while it is made, and one that begins again behind a restart reads them later. */
    @Test
    void edgesThatComeWhileAPlanIsMadeDoNotChangeIt() {
        EdgeBatch graph = graph();
        Run run = new Run(PartitioningKind.VERTEX, "buffer=800", SHARE, 1 << 20);
        JointVertexRule rule = (JointVertexRule) Algorithms.vertexRule(run.options);
        EdgeBatch edge = new EdgeBatch(1);
        EdgeBatch planned = new EdgeBatch();
        List<OwnerBuffer> early = new ArrayList<>();
        OwnedSoFar owned = OwnedSoFar.of(run.placement.ownerLoads());
        int compared = 0;
        int moves = 0;
        for (int i = 0; i < graph.size(); i++) {
            edge.clear();
            edge.addFrom(graph, i);
            run.placement.accept(edge, run);
            OwnerMoves now = OwnerMoves.of(run.placement.snapshot());
            if (!now.areWanted()) {
                early.clear();
            } else if (early.isEmpty()) {
                planned = run.placement.heldEdges();
                owned = OwnedSoFar.of(run.placement.ownerLoads());
                early.add(chosen(planned, now, owned, rule, run));
            } else if (now.size() % 64 == 63) {
                OwnerBuffer late = chosen(planned, now, owned, rule, run);
                int[] moved = late.moves(0);
                assertThat(moved).isEqualTo(early.get(0).moves(0));
                moves += moved.length;
                compared++;
            }
        }
        run.placement.dropPlan();
        assertThat(compared).isPositive();
        assertThat(moves).isPositive();
    }

    private static OwnerBuffer chosen(
            EdgeBatch planned, OwnerMoves moves, OwnedSoFar owned, JointVertexRule rule, Run run) {
        OwnerBuffer buffer =
                new OwnerBuffer(planned, new OwnerBuffer.Endpoints(planned, moves), run.vertices, null, moves, K);
        buffer.choose(rule, owned, false);
        return buffer;
    }

    /** A vertex alone gains little in random order; what single moves leave of the share goes to regions. */
    @Test
    void verticesOfARegionMoveTogether() {
        EdgeBatch graph = shuffled(graph());
        Run run = new Run(PartitioningKind.VERTEX, "buffer=80", 1).stream(graph, new SplittableRandom(1), false);
        String state = HexFormat.of().formatHex(stateOf(run));
        long nextRegion = Long.parseLong(state.substring(2 * NEXT_REGION, 2 * NEXT_REGION + 16), 16);
        assertThat(nextRegion)
                .as("edges placed when the next region is looked at")
                .isGreaterThan(EDGES / 2);
        assertThat(run.placement.refinedEdges()).isPositive().isLessThanOrEqualTo(run.placed);
        Run less = new Run(PartitioningKind.VERTEX, "buffer=80", 0.1).stream(graph, new SplittableRandom(1), false);
        assertThat(run.end()).isLessThan(0.8 * less.end());
    }

    /** Several small buffers show communities together that none of them did. */
    @Test
    void edgesOfARegionMoveTogether() {
        EdgeBatch graph = shuffled(graph());
        Run run = new Run(PartitioningKind.EDGE, "buffer=80", 1, 4_000).stream(graph, new SplittableRandom(1), false);
        assertThat(run.placement.refinedEdges()).isPositive().isLessThanOrEqualTo(run.placed);
        Run less =
                new Run(PartitioningKind.EDGE, "buffer=80", 0.02, 4_000).stream(graph, new SplittableRandom(1), false);
        assertThat(run.end()).isLessThan(0.96 * less.end());
    }

    private static EdgeBatch shuffled(EdgeBatch graph) {
        SplittableRandom random = new SplittableRandom(9);
        int[] order = IntStream.range(0, graph.size()).toArray();
        for (int i = order.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int at = order[i];
            order[i] = order[other];
            order[other] = at;
        }
        EdgeBatch shuffled = new EdgeBatch();
        for (int i : order) {
            shuffled.addFrom(graph, i);
        }
        return shuffled;
    }

    /** Returns the first piece of the state. */
    private static byte[] stateOf(Run run) {
        return run.placement.snapshot().stream()
                .filter(piece -> Refinement.others(List.of(piece)).isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private static Run ofTwoEdges() {
        Run run = new Run(PartitioningKind.EDGE, "window=200", SHARE);
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, 2);
        edges.add(-3, 2);
        run.placement.accept(edges, run);
        run.placement.placeHeld(run);
        return run;
    }

    @Test
    void theBytesOfTheStateAreThoseOfVersion2() {
        assertThat(HexFormat.of().formatHex(stateOf(ofTwoEdges())))
                .isEqualTo(
                        "726566696e650002" // refine, version 2
                                + "00000002" // edges since the last turn
                                + "3fd999999999999a" // 0.4 edges may move
                                + "0000000000000000" // none has moved
                                + "0000000000000000" // none has been looked at
                                + "0000000000000000" // a region may be looked at
                                + "00000000" // none was in vain
                                + QUEUE);
    }

    @Test
    void readsVersion1WhichKnowsNoRegions() {
        Run run = ofTwoEdges();
        byte[] version1 = HexFormat.of()
                .parseHex("726566696e650001" + "00000002" + "3fd999999999999a" + "0000000000000005" + "0000000100000000"
                        + QUEUE);
        Run restored = new Run(PartitioningKind.EDGE, "window=200", SHARE);
        List<byte[]> pieces = new ArrayList<>(Refinement.others(run.placement.snapshot()));
        pieces.add(version1);
        restored.placement.restore(pieces, new EdgeBatch());
        assertThat(restored.placement.refinedEdges()).isEqualTo(5);
        assertThat(HexFormat.of().formatHex(stateOf(restored)))
                .isEqualTo("726566696e650002" + "00000002" + "3fd999999999999a" + "0000000000000005"
                        + "0000000100000000" + "0000000000000000" + "00000000" + QUEUE);
    }

    @Test
    void refusesAnotherVersionAndReadsACheckpointWithoutARefinement() {
        Run run = new Run(PartitioningKind.EDGE, "window=200", SHARE);
        Run other = new Run(PartitioningKind.EDGE, "window=200", 0);
        run.placement.restore(other.placement.snapshot(), new EdgeBatch());
        other.placement.restore(run.placement.snapshot(), new EdgeBatch());
        List<byte[]> pieces = run.placement.snapshot();
        pieces.get(pieces.size() - 1)[7]++;
        assertThatIllegalStateException()
                .isThrownBy(() -> run.placement.restore(pieces, new EdgeBatch()))
                .withMessageContaining("refinement in version 3; this is version 2");
    }
}
