package io.cutwater.state.algorithm.sigma;

import io.cutwater.state.cluster.LargestFirst;
import io.cutwater.state.cluster.ModularityClustering;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.passes.EdgeCounts;
import io.cutwater.state.passes.PartitionGains;
import io.cutwater.state.table.PartitionLoads;
import java.util.Arrays;

/**
 * SIGMA for edges with clusters of high modularity: these, each with the volume of a partition at most, go to
 * partitions by falling volume; edges whose ends' clusters are on the same partition are placed there first, up to its
 * cap; then the others, each on the p with the largest
 *
 * <pre>
 *   g(u, p) + g(v, p) + λ · (½ · (max − edges(p)) / max + ½ · (maxR − replicas(p)) / maxR)
 *   g(x, p) = 2 − d(x) / (d(u) + d(v))   if p holds x, else 0
 * </pre>
 *
 * of those that stay within σ(t) · ⌈(1 + imbalance) m / k⌉ edges, the lowest of them on ties, or on the least loaded. t
 * is the share of the edges passed, σ(t) = σ₀ + (1 − σ₀) √t, σ₀ = max(.9, fullest partition before / cap).
 */
public final class SigmaBulkPartitioner {
    private static final double LEAST_SIGMA = 0.9;
    private static final int NONE = -1;

    private final BoundedGraph graph;
    private final EdgePlaces places;
    private final double lambda;
    private final double cap;
    private final PartitionLoads loads;
    private final EdgeCounts counts;
    private final PartitionGains gains;

    private SigmaBulkPartitioner(BoundedGraph graph, int partitionCount, SigmaOptions options, EdgePlaces places) {
        this.graph = graph;
        this.places = places;
        lambda = options.lambda();
        cap = Math.ceil((1 + options.imbalance()) * graph.edgeCount() / partitionCount);
        loads = new PartitionLoads(partitionCount);
        counts = new EdgeCounts(graph.vertexCount());
        gains = new PartitionGains(partitionCount);
    }

    /** @param places of the edges, none of which has one; then each has, 0 to k − 1 */
    public static void place(BoundedGraph graph, int partitionCount, SigmaOptions options, EdgePlaces places) {
        SigmaBulkPartitioner placement = new SigmaBulkPartitioner(graph, partitionCount, options, places);
        placement.placeWithClusters(placement.plan());
        placement.placeOthers();
    }

    /** The partition of each vertex's cluster. */
    private int[] plan() {
        int partitionCount = loads.partitionCount();
        int[] partitions = new ModularityClustering(
                        graph.vertexCount(),
                        graph.edgeCount(),
                        2 * graph.edgeCount() / partitionCount,
                        graph.vertexCount())
                .of(graph);
        long[] volumes = new long[Arrays.stream(partitions).max().orElse(NONE) + 1];
        for (int v = 0; v < partitions.length; v++) {
            volumes[partitions[v]] += graph.degree(v);
        }
        int[] plan = LargestFirst.plan(volumes, partitionCount);
        for (int v = 0; v < partitions.length; v++) {
            partitions[v] = plan[partitions[v]];
        }
        return partitions;
    }

    private void placeWithClusters(int[] partitions) {
        try (EdgePass edges = graph.edges();
                EdgePlaces.Pass pass = places.pass()) {
            while (edges.next()) {
                pass.next();
                int partition = partitions[edges.source()];
                if (partition == partitions[edges.target()] && loads.edges(partition) < cap) {
                    pass.set(partition);
                    counts.add(edges, partition, loads);
                }
            }
        }
    }

    private void placeOthers() {
        double least = Math.max(LEAST_SIGMA, loads.maxEdges() / cap);
        try (EdgePass edges = graph.edges();
                EdgePlaces.Pass pass = places.pass()) {
            for (long passed = 1; edges.next(); passed++) {
                if (pass.next() == EdgePlaces.NONE) {
                    int source = edges.source();
                    int target = edges.target();
                    gains.addHolders(source, target, graph.degree(source), graph.degree(target), counts);
                    double sigma = least + (1 - least) * Math.sqrt((double) passed / graph.edgeCount());
                    int partition = best(sigma * cap);
                    pass.set(partition);
                    counts.add(edges, partition, loads);
                    gains.clear();
                }
            }
        }
    }

    private int best(double cap) {
        double perEdge = lambda / 2 / Math.max(1, loads.maxEdges());
        double perReplica = lambda / 2 / Math.max(1, loads.maxVertices());
        int best = NONE;
        double bestScore = NONE;
        for (int i = 0; i < gains.size(); i++) {
            int p = gains.partition(i);
            double score = gains.of(p) + room(p, perEdge, perReplica);
            if (loads.edges(p) + 1 <= cap && (score > bestScore || score == bestScore && p < best)) {
                best = p;
                bestScore = score;
            }
        }
        double mostByRoom = perEdge * (loads.maxEdges() - loads.minEdges()) + perReplica * loads.maxVertices();
        for (int p = 0; p < loads.partitionCount() && bestScore <= mostByRoom; p++) {
            // Only then can one that holds neither end win.
            double score = gains.of(p) + room(p, perEdge, perReplica);
            if (loads.edges(p) + 1 <= cap && (score > bestScore || score == bestScore && p < best)) {
                best = p;
                bestScore = score;
            }
        }
        return best == NONE ? loads.leastLoaded() : best;
    }

    private double room(int partition, double perEdge, double perReplica) {
        return perEdge * (loads.maxEdges() - loads.edges(partition))
                + perReplica * (loads.maxVertices() - loads.vertices(partition));
    }
}
