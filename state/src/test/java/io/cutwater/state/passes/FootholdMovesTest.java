package io.cutwater.state.passes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.parts.EdgeRoom;
import io.cutwater.state.table.PartitionLoads;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FootholdMovesTest {
    private static final double NO_CAP = Double.POSITIVE_INFINITY;

    @Test
    void movesAFootholdOfWhichNoEdgeWouldMoveAlone() {
        // Vertex 0 has two edges to hubs on partition 0, and one on partition 1 where the hubs are, too.
        EdgeBatch edges = new EdgeBatch();
        edges.add(0, 1);
        edges.add(0, 2);
        edges.add(0, 3);
        int[] partitions = new int[15];
        for (int i = 0; i < 12; i++) {
            edges.add(1 + i % 3, 10 + i);
            partitions[3 + i] = i / 3 % 2;
        }
        partitions[2] = 1;
        AdjacencyGraph graph = AdjacencyGraph.of(edges);
        Pass pass = new Pass(graph, partitions, 2, 9, NO_CAP, Integer.MAX_VALUE);
        assertThat(EdgePolishTest.replicas(graph, partitions)).isEqualTo(20);
        assertThat(pass.footholds.pass(false)).isEqualTo(2);
        assertThat(partitions).startsWith(1, 1, 1);
        assertThat(EdgePolishTest.replicas(graph, partitions)).isEqualTo(19);
    }

    @Test
    void aLeafLeavesAFullPartitionWhereItCostsNothing() {
        // Five leaves of a hub on partition 0 and one on partition 1: leaves move until neither is full.
        EdgeBatch edges = new EdgeBatch();
        for (int leaf = 0; leaf < 6; leaf++) {
            edges.add(100, leaf);
        }
        int[] partitions = {0, 0, 0, 0, 0, 1};
        AdjacencyGraph graph = AdjacencyGraph.of(edges);
        assertThat(new Pass(graph, partitions, 2, 5, NO_CAP, Integer.MAX_VALUE).footholds.pass(false))
                .isZero();
        assertThat(new Pass(graph, partitions, 2, 5, NO_CAP, Integer.MAX_VALUE).footholds.pass(true))
                .isEqualTo(1);
        assertThat(EdgePolishTest.replicas(graph, partitions)).isEqualTo(8);
    }

    @Test
    void movesAsTheRuleWrittenDownSlowlyDoesHoweverManyEdgesAreInMemory() {
        for (long seed = 0; seed < 24; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            AdjacencyGraph graph = AdjacencyGraph.of(RandomGraphs.graph(seed));
            int k = random.nextInt(2, 9);
            int[] partitions = random.ints((int) graph.edgeCount(), 0, k).toArray();
            long maxEdges = graph.edgeCount() / k * 5 / 4 + 1;
            double vertexSlack = seed % 2 == 0 ? NO_CAP : 1.1;
            boolean isForRoom = seed % 3 > 0;
            long range = random.nextLong(1, 200);
            int[] expected = partitions.clone();
            long moves = SlowFootholds.move(graph, expected, k, maxEdges, vertexSlack, range, isForRoom);
            Pass pass = new Pass(graph, partitions, k, maxEdges, vertexSlack, range);
            assertThat(pass.footholds.pass(isForRoom)).as("seed %d", seed).isEqualTo(moves);
            assertThat(partitions).as("seed %d", seed).isEqualTo(expected);
            assertThat(pass.counts.replicas())
                    .as("seed %d", seed)
                    .isEqualTo(EdgePolishTest.replicas(graph, partitions));
        }
    }

    /** All that a pass needs. */
    private static final class Pass {
        final EdgeCounts counts;
        final FootholdMoves footholds;

        Pass(AdjacencyGraph graph, int[] partitions, int k, long maxEdges, double vertexSlack, long range) {
            EdgePlaces places = EdgePlaces.of(partitions);
            counts = new EdgeCounts(graph.vertexCount());
            PartitionLoads sums = new PartitionLoads(k);
            counts.addAll(graph, places, sums);
            long[] loads = sums.edges();
            long[] replicas = sums.vertices();
            EdgePolish polish = new EdgePolish(graph, places, maxEdges, vertexSlack, loads, replicas, counts);
            EdgeRoom room = new EdgeRoom(graph, maxEdges, loads.length);
            footholds = new FootholdMoves(graph, places, room, loads, replicas, counts, polish, range);
        }
    }
}
