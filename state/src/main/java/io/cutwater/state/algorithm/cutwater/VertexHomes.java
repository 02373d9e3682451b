package io.cutwater.state.algorithm.cutwater;

import io.cutwater.state.cluster.ModularityClustering;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.graph.VertexPass;
import io.cutwater.state.passes.PresentEdges;
import io.cutwater.state.plan.PlanRequest;
import io.cutwater.state.plan.QuotientGraphBuilder;
import io.cutwater.state.plan.QuotientPlanner;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The home partition of each vertex of a graph: that of its cluster in the plan, then {@value #PASSES} times that of
 * most of its neighbours with room for it. Caps on the vertices and the volume of a partition hold.
 */
final class VertexHomes {
    static final int PASSES = 4;

    /** Cost in a plan of moving an endpoint off its present partition, in cut edges. */
    private static final double MOVE_COST = 0.03;

    private final BoundedGraph graph;
    private final int partitionCount;
    private final long maxVertices;
    private final long maxVolume;
    private final int[] homes;
    private final BitSet moved = new BitSet(); // vertices whose cluster has another home than at present

    /**
     * Computes the homes.
     *
     * @param present present places, from which clusters move only for a gain; null for none
     */
    VertexHomes(BoundedGraph graph, CutwaterBulkOptions options, @Nullable PresentEdges present) {
        this.graph = graph;
        partitionCount = options.partitionCount();
        maxVertices = (long) Math.ceil(options.vertexSlack() * graph.vertexCount() / partitionCount);
        maxVolume = 2 * options.maxEdges(graph.edgeCount());
        homes = clusters(options.grain()); // until the plan gives each cluster its partition
        int[] plan = plan(homes, options.seed(), present);
        long[] sizes = new long[partitionCount];
        long[] volumes = new long[partitionCount];
        for (int v = 0; v < homes.length; v++) {
            homes[v] = plan[homes[v]];
            sizes[homes[v]]++;
            volumes[homes[v]] += graph.degree(v);
        }
        for (int pass = 0; pass < PASSES; pass++) {
            follow(sizes, volumes);
        }
    }

    /** Returns the home of a vertex, 0 to k − 1. */
    int of(int vertex) {
        return homes[vertex];
    }

    /** Returns whether the cluster of a vertex has another home than at present. */
    boolean hasMoved(int vertex) {
        return moved.get(vertex);
    }

    private int[] clusters(double grain) {
        int maxSize = (int) Math.max(1, grain * maxVertices);
        return new ModularityClustering(graph.vertexCount(), graph.edgeCount(), (long) (grain * maxVolume), maxSize)
                .of(graph);
    }

    private int[] plan(int[] clusters, long seed, @Nullable PresentEdges present) {
        QuotientGraphBuilder quotient = new QuotientGraphBuilder(
                Arrays.stream(clusters).max().orElse(-1) + 1, QuotientGraphBuilder.pairsFor(clusters.length));
        for (int v = 0; v < clusters.length; v++) {
            quotient.addVertex(clusters[v], graph.degree(v));
        }
        try (EdgePass edges = graph.edges()) {
            while (edges.next()) {
                quotient.addEdge(clusters[edges.source()], clusters[edges.target()]);
            }
        }
        PlanRequest request = new PlanRequest(partitionCount, maxVertices, maxVolume, seed);
        if (present == null) {
            return QuotientPlanner.plan(quotient.build(), request);
        }
        int[] presentHomes = present.homes(clusters);
        int[] plan = QuotientPlanner.plan(quotient.build(), request.withPresent(presentHomes, MOVE_COST));
        for (int v = 0; v < clusters.length; v++) {
            moved.set(v, plan[clusters[v]] != presentHomes[clusters[v]]);
        }
        return plan;
    }

    /** Moves each vertex to the home of most of its neighbours, where it has room. */
    private void follow(long[] sizes, long[] volumes) {
        int[] counts = new int[partitionCount];
        try (VertexPass vertices = graph.vertices()) {
            while (vertices.next()) {
                int v = vertices.vertex();
                int[] neighbours = vertices.neighbours();
                int from = vertices.from();
                int to = vertices.to();
                int own = homes[v];
                int best = own;
                for (int i = from; i < to; i++) {
                    counts[homes[neighbours[i]]]++;
                }
                for (int i = from; i < to; i++) {
                    int p = homes[neighbours[i]];
                    if (counts[p] > counts[best] && volumes[p] + to - from <= maxVolume && sizes[p] < maxVertices) {
                        best = p;
                    }
                }
                for (int i = from; i < to; i++) {
                    counts[homes[neighbours[i]]] = 0;
                }
                sizes[own]--;
                sizes[best]++;
                volumes[own] -= to - from;
                volumes[best] += to - from;
                homes[v] = best;
            }
        }
    }
}
