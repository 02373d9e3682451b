package io.cutwater.state.passes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

public class EdgePolishTest {
    private static final double NO_CAP = Double.POSITIVE_INFINITY;

    @Test
    void movesTheLastEdgeOfAFoothold() {
        // A triangle on partition 0 but for one edge, which makes two replicas for nothing.
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, 2);
        edges.add(2, 3);
        edges.add(3, 1);
        int[] partitions = {0, 0, 1};
        assertThat(EdgePolish.polish(AdjacencyGraph.of(edges), EdgePlaces.of(partitions), 2, 3, NO_CAP))
                .isEqualTo(3);
        assertThat(partitions).containsExactly(0, 0, 0);
    }

    @Test
    void leavesAnEdgeWhereThereIsNoRoomForItElsewhere() {
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, 2);
        edges.add(2, 3);
        edges.add(3, 1);
        int[] partitions = {0, 0, 1};
        assertThat(EdgePolish.polish(AdjacencyGraph.of(edges), EdgePlaces.of(partitions), 2, 2, NO_CAP))
                .isEqualTo(5);
        assertThat(partitions).containsExactly(0, 0, 1);
    }

    @Test
    void aSelfLoopStaysWhereItIs() {
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, 1);
        edges.add(1, 2);
        int[] partitions = {1, 0};
        EdgePolish.polish(AdjacencyGraph.of(edges), EdgePlaces.of(partitions), 2, 10, NO_CAP);
        assertThat(partitions[0]).isEqualTo(1);
    }

    @Test
    void emptiesASmallFootholdOfSeveralEdges() {
        // Twelve and three leaves of a star on two partitions: no single move frees the hub, three of them do.
        EdgeBatch edges = new EdgeBatch();
        int[] partitions = new int[15];
        for (int leaf = 0; leaf < 15; leaf++) {
            edges.add(100, leaf);
            partitions[leaf] = leaf < 12 ? 0 : 1;
        }
        assertThat(EdgePolish.polish(AdjacencyGraph.of(edges), EdgePlaces.of(partitions), 2, 15, NO_CAP))
                .isEqualTo(16);
    }

    @Test
    void movesAsTheRuleWrittenDownSlowlyDoesAndCountsTheReplicas() {
        for (long seed = 0; seed < 24; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            AdjacencyGraph graph = AdjacencyGraph.of(RandomGraphs.graph(seed));
            int k = random.nextInt(1, 9);
            int[] partitions = random.ints((int) graph.edgeCount(), 0, k).toArray();
            long maxEdges = graph.edgeCount() / k * 5 / 4 + 1;
            double vertexSlack = seed % 2 == 0 ? NO_CAP : 1.1;
            int[] expected = slow(graph, partitions, k, maxEdges, vertexSlack);
            long replicas = EdgePolish.polish(graph, EdgePlaces.of(partitions), k, maxEdges, vertexSlack);
            assertThat(replicas).as("seed %d", seed).isEqualTo(replicas(graph, partitions));
            assertThat(potential(graph, partitions, k)).as("seed %d", seed).isEqualTo(potential(graph, expected, k));
            assertThat(partitions).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void lowersTheReplicationOfHdrfByAFifthOnAmazonComputers() {
        EdgeBatch edges = SharedGraph.read("data/amazon-computers/edges.rnd.txt.gz");
        PartitionLoads loads = new PartitionLoads(32);
        VertexTable vertices = new VertexTable(new VertexLayout(32, false));
        int[] partitions = new int[edges.size()];
        int[] next = {0};
        new Placement(Algorithms.edgePartitioner(PartitionerOptions.ofEdges("hdrf", 32, 1)), vertices, loads)
                .accept(
                        edges,
                        (source, target, weight, timestamp, key, place) ->
                                partitions[next[0]++] = Place.ofSource(place));
        long maxEdges = edges.size() * 11L / 10 / 32;
        long replicas = EdgePolish.polish(AdjacencyGraph.of(edges), EdgePlaces.of(partitions), 32, maxEdges, NO_CAP);
        assertThat(replicas).isLessThan(loads.totalReplicas() * 4 / 5);
        assertThat(fullest(partitions, 32)).isLessThanOrEqualTo(maxEdges);
    }

    public static long fullest(int[] partitions, int k) {
        long[] loads = new long[k];
        Arrays.stream(partitions).forEach(p -> loads[p]++);
        return Arrays.stream(loads).max().orElseThrow();
    }

    public static long replicas(AdjacencyGraph graph, int[] partitions) {
        TreeSet<Long> replicas = new TreeSet<>();
        for (int i = 0; i < partitions.length; i++) {
            replicas.add((long) graph.source(i) << 32 | partitions[i]);
            replicas.add((long) graph.target(i) << 32 | partitions[i]);
        }
        return replicas.size();
    }

    /** Σ c / (c + 1) over all vertices and partitions. */
    private static double potential(AdjacencyGraph graph, int[] partitions, int k) {
        double sum = 0;
        for (long[] ofVertex : counts(graph, partitions, k)) {
            for (long c : ofVertex) {
                sum += (double) c / (c + 1);
            }
        }
        return sum;
    }

    static long[][] counts(AdjacencyGraph graph, int[] partitions, int k) {
        long[][] counts = new long[graph.vertexCount()][k];
        for (int i = 0; i < partitions.length; i++) {
            counts[graph.source(i)][partitions[i]]++;
            counts[graph.target(i)][partitions[i]]++;
        }
        return counts;
    }

    private static int[] slow(AdjacencyGraph graph, int[] before, int k, long maxEdges, double vertexSlack) {
        int[] partitions = before.clone();
        long moves = Long.MAX_VALUE;
        for (int pass = 0; pass < 4 && (pass < 2 || moves > before.length / 500); pass++) {
            moves = pass == 0
                    ? 0
                    : SlowFootholds.move(graph, partitions, k, maxEdges, vertexSlack, Integer.MAX_VALUE, true);
            moves += slowPass(graph, partitions, k, maxEdges, vertexSlack);
        }
        return partitions;
    }

    /** Every partition tried with the whole formula; of equally good ones the lowest. */
    private static long slowPass(AdjacencyGraph graph, int[] partitions, int k, long maxEdges, double vertexSlack) {
        long moves = 0;
        for (int i = 0; i < partitions.length; i++) {
            int u = graph.source(i);
            int v = graph.target(i);
            long[][] counts = counts(graph, partitions, k);
            int best = partitions[i];
            double bestGain = 1e-9;
            for (int p = 0; p < k && u != v; p++) {
                int q = p;
                long load = Arrays.stream(partitions).filter(x -> x == q).count();
                double gain = term(counts[u][partitions[i]])
                        + term(counts[v][partitions[i]])
                        - (term(counts[u][q] + 1) + term(counts[v][q] + 1));
                boolean isCrowded = (counts[u][q] == 0 || counts[v][q] == 0)
                        && replicas(counts)[q] + 1
                                > vertexSlack * Arrays.stream(replicas(counts)).sum() / k;
                boolean holds = counts[u][q] + counts[v][q] > 0;
                if (holds && q != partitions[i] && load < maxEdges && !isCrowded && gain > bestGain) {
                    best = q;
                    bestGain = gain;
                }
            }
            moves += best == partitions[i] ? 0 : 1;
            partitions[i] = best;
        }
        return moves;
    }

    /** Replicas of each partition. */
    static long[] replicas(long[][] counts) {
        return IntStream.range(0, counts[0].length)
                .mapToLong(p -> Arrays.stream(counts).filter(c -> c[p] > 0).count())
                .toArray();
    }

    /** c / (c + 1) − (c − 1) / c, as one fraction. */
    private static double term(long c) {
        return 1.0 / ((double) c * (c + 1));
    }
}
