package io.cutwater.state.bulk;

import io.cutwater.state.cluster.ModularityClustering;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.plan.PlanRequest;
import io.cutwater.state.plan.QuotientGraphBuilder;
import io.cutwater.state.plan.QuotientPlanner;
import java.util.Arrays;

/**
 * Our edge partitioning of a graph in memory: small clusters of high modularity, a plan on the graph of clusters, a
 * home for each vertex, edges placed by the homes of their ends, and a polish ({@link EdgePolish}).
 *
 * <ol>
 *   <li>The plan caps the volume of a partition and the vertices that have their home there.
 *   <li>A vertex's home is its cluster's partition; then, {@value #HOME_PASSES} times, that of most of its neighbours
 *       with room for its degree.
 *   <li>An edge whose ends share a home goes there. The others follow, each to the partition with the largest sum of
 *       SIGMA's gains (2 − d(x) / (d(u) + d(v)) for each end x with a replica there), 0.3 for each end at home there,
 *       and half the share of room left.
 * </ol>
 */
public final class BulkEdgePlacement {
    private static final int HOME_PASSES = 4;
    private static final double GRAIN = 0.03;
    private static final double HOME_GAIN = 0.3;
    private static final double ROOM_GAIN = 0.5;

    private final AdjacencyGraph graph;
    private final int partitionCount;
    private final long maxEdges;
    private final long maxVertices;
    private final long[] loads;
    private final int[] partitions;
    private final int[] homes;

    private BulkEdgePlacement(AdjacencyGraph graph, BulkEdgeOptions options) {
        this.graph = graph;
        partitionCount = options.partitionCount();
        maxEdges = options.maxEdges(graph.edgeCount());
        maxVertices = (long) Math.ceil(options.vertexSlack() * graph.vertexCount() / partitionCount);
        loads = new long[partitionCount];
        partitions = new int[graph.edgeCount()];
        homes = homes(options.seed());
    }

    /** The partition of each edge of the graph, 0 to k − 1. The same graph and options give the same placement. */
    public static int[] place(AdjacencyGraph graph, BulkEdgeOptions options) {
        BulkEdgePlacement placement = new BulkEdgePlacement(graph, options);
        placement.placeAll();
        EdgePolish.polish(graph, placement.partitions, options.partitionCount(), placement.maxEdges);
        return placement.partitions;
    }

    private int[] homes(long seed) {
        int[] clusters = clusters();
        QuotientGraphBuilder quotient =
                new QuotientGraphBuilder(Arrays.stream(clusters).max().orElse(-1) + 1);
        for (int v = 0; v < clusters.length; v++) {
            quotient.addVertex(clusters[v], graph.degree(v));
        }
        for (int i = 0; i < graph.edgeCount(); i++) {
            quotient.addEdge(clusters[graph.source(i)], clusters[graph.target(i)]);
        }
        int[] plan = QuotientPlanner.plan(
                quotient.build(), new PlanRequest(partitionCount, maxVertices, 2 * maxEdges, seed));
        int[] places = Arrays.stream(clusters).map(c -> plan[c]).toArray();
        long[] volumes = new long[partitionCount];
        for (int v = 0; v < places.length; v++) {
            volumes[places[v]] += graph.degree(v);
        }
        for (int pass = 0; pass < HOME_PASSES; pass++) {
            moveHomes(places, volumes);
        }
        return places;
    }

    private int[] clusters() {
        int vertexCount = graph.vertexCount();
        int maxSize = (int) Math.max(1, GRAIN * maxVertices);
        ModularityClustering clustering =
                new ModularityClustering(vertexCount, graph.edgeCount(), (long) (GRAIN * 2 * maxEdges), maxSize);
        do {
            for (int v = 0; v < vertexCount; v++) {
                clustering.add(v, graph.neighbours(), graph.offset(v), graph.offset(v + 1));
            }
        } while (clustering.endPass());
        return clustering.clusters();
    }

    private void moveHomes(int[] places, long[] volumes) {
        int[] counts = new int[partitionCount];
        for (int v = 0; v < places.length; v++) {
            int own = places[v];
            int best = own;
            for (int i = graph.offset(v); i < graph.offset(v + 1); i++) {
                counts[places[graph.neighbours()[i]]]++;
            }
            for (int i = graph.offset(v); i < graph.offset(v + 1); i++) {
                int p = places[graph.neighbours()[i]];
                if (counts[p] > counts[best] && volumes[p] + graph.degree(v) <= 2 * maxEdges) {
                    best = p;
                }
            }
            for (int i = graph.offset(v); i < graph.offset(v + 1); i++) {
                counts[places[graph.neighbours()[i]]] = 0;
            }
            volumes[own] -= graph.degree(v);
            volumes[best] += graph.degree(v);
            places[v] = best;
        }
    }

    private void placeAll() {
        EdgeCounts counts = new EdgeCounts(graph, partitionCount);
        boolean[] isPlaced = new boolean[partitions.length];
        for (int i = 0; i < partitions.length; i++) {
            int home = homes[graph.source(i)];
            if (home == homes[graph.target(i)] && loads[home] < maxEdges) {
                put(i, home, counts);
                isPlaced[i] = true;
            }
        }
        for (int i = 0; i < partitions.length; i++) {
            if (!isPlaced[i]) {
                put(i, best(graph.source(i), graph.target(i), counts), counts);
            }
        }
    }

    private void put(int edge, int partition, EdgeCounts counts) {
        partitions[edge] = partition;
        loads[partition]++;
        counts.add(graph.source(edge), partition);
        counts.add(graph.target(edge), partition);
    }

    private int best(int source, int target, EdgeCounts counts) {
        double degrees = (double) graph.degree(source) + graph.degree(target);
        double sourceGain = 2 - graph.degree(source) / degrees;
        double targetGain = 2 - graph.degree(target) / degrees;
        double perEdge = ROOM_GAIN / maxEdges;
        int best = 0;
        double bestScore = Double.NEGATIVE_INFINITY;
        for (int p = 0; p < partitionCount; p++) {
            if (loads[p] < maxEdges) {
                double score = (counts.count(source, p) > 0 ? sourceGain : 0)
                        + (counts.count(target, p) > 0 ? targetGain : 0)
                        + (homes[source] == p ? HOME_GAIN : 0)
                        + (homes[target] == p ? HOME_GAIN : 0)
                        + perEdge * (maxEdges - loads[p]);
                if (score > bestScore) {
                    best = p;
                    bestScore = score;
                }
            }
        }
        return best;
    }
}
