package io.cutwater.state.algorithm.cutwater;

import io.cutwater.state.cluster.ModularityClustering;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.graph.VertexPass;
import io.cutwater.state.joint.EarlierPlaces;
import io.cutwater.state.parts.EdgeRoom;
import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.parts.PlacesExchange;
import io.cutwater.state.passes.EdgeCounts;
import io.cutwater.state.passes.PresentEdges;
import io.cutwater.state.plan.PlanRequest;
import io.cutwater.state.plan.PlanRooms;
import io.cutwater.state.plan.QuotientGraphBuilder;
import io.cutwater.state.plan.QuotientPlanner;
import io.cutwater.state.plan.SharedPlan;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The home of each vertex of a graph: the partition that the plan has for its cluster; then, {@value #PASSES} times,
 * that of most of its neighbours with room for it.
 *
 * <p>If the graph is a part that comes to earlier places, an earlier edge of a vertex draws it, and its cluster, to the
 * partition of that edge as a neighbour there would. The caps are what is left of the partitions.
 */
final class VertexHomes {
    static final int PASSES = 4;

    /** The same for a part; more of them forget more of the plan than they gain. */
    private static final int PASSES_OF_PART = 2;

    /** Cost in a plan of moving an endpoint off its present partition, in cut edges. */
    private static final double MOVE_COST = 0.03;

    /** Volume of the largest cluster of a part, as a share of the mean room of a partition. */
    private static final double GRAIN_OF_ROOM = 0.25;

    private final BoundedGraph graph;
    private final int partitionCount;
    private final long maxEdges;
    private final long maxVertices;
    private final long[] roomSizes;
    private final long[] roomVolumes;
    private final EdgeRoom sizeRoom;
    private final EdgeRoom volumeRoom;
    private final @Nullable PresentEdges present;
    private final @Nullable EarlierPlaces earlier;
    private final BitSet moved = new BitSet(); // vertices whose cluster has another home than at present
    private final int[] homes;

    /**
     * @param clusters of the vertices, 0 to c − 1; homes afterwards
     * @param maxEdges edges that a partition may have
     * @param present the places of the edges now, which few are to leave; null if they have none
     * @param earlier what comes before the graph; null if it is whole
     */
    VertexHomes(
            BoundedGraph graph,
            int[] clusters,
            CutwaterBulkOptions options,
            long maxEdges,
            @Nullable PresentEdges present,
            @Nullable EarlierPlaces earlier) {
        this.graph = graph;
        this.maxEdges = maxEdges;
        this.present = present;
        this.earlier = earlier;
        partitionCount = options.partitionCount();
        maxVertices = maxVertices(graph, options, earlier);
        roomSizes = new long[partitionCount];
        roomVolumes = new long[partitionCount];
        for (int p = 0; p < partitionCount; p++) {
            roomSizes[p] = Math.max(0, maxVertices - (earlier == null ? 0 : earlier.otherHomes(p)));
            roomVolumes[p] = roomVolume(p, maxEdges, earlier);
        }
        sizeRoom = new EdgeRoom(graph, roomSizes);
        volumeRoom = new EdgeRoom(graph, roomVolumes);
        homes = clusters;
        int[] plan = plan(homes, options.seed());
        long[] sizes = new long[partitionCount];
        long[] volumes = new long[partitionCount];
        for (int v = 0; v < homes.length; v++) {
            homes[v] = plan[homes[v]];
            if (GraphPart.isOwn(graph, v)) {
                sizes[homes[v]]++;
                volumes[homes[v]] += graph.degree(v);
            }
        }
        int passes = earlier == null ? PASSES : PASSES_OF_PART;
        GraphPart part = GraphPart.of(graph);
        PlacesExchange exchange = part == null ? null : new PlacesExchange(part, homes, sizes, volumes);
        for (int pass = 0; pass < passes; pass++) {
            follow(sizes, volumes, exchange);
        }
    }

    /** Returns the home of a vertex, 0 to k − 1. */
    int of(int vertex) {
        return homes[vertex];
    }

    /** Returns the home of each vertex; the array itself. */
    int[] all() {
        return homes;
    }

    /** Returns whether the cluster of a vertex has another home than at present. */
    boolean hasMoved(int vertex) {
        return moved.get(vertex);
    }

    /**
     * Returns the cluster of each vertex, 0 to c − 1.
     *
     * @param maxEdges edges that a partition may have
     * @param earlier what comes before the graph; null if it is whole
     */
    static int[] clusters(
            BoundedGraph graph, CutwaterBulkOptions options, long maxEdges, @Nullable EarlierPlaces earlier) {
        int maxSize = (int) Math.max(1, options.grain() * maxVertices(graph, options, earlier));
        long maxVolume = (long) (options.grain() * (2 * maxEdges));
        if (earlier != null) {
            double room = 0;
            for (int p = 0; p < options.partitionCount(); p++) {
                room += roomVolume(p, maxEdges, earlier);
            }
            maxVolume = Math.min(maxVolume, (long) (GRAIN_OF_ROOM * (room / options.partitionCount())));
        }
        ModularityClustering clustering =
                new ModularityClustering(graph.vertexCount(), graph.edgeCount(), maxVolume, maxSize);
        return clustering.of(graph);
    }

    private static long maxVertices(BoundedGraph graph, CutwaterBulkOptions options, @Nullable EarlierPlaces earlier) {
        long vertices = earlier == null ? GraphPart.allVertices(graph) : earlier.vertexCount();
        return (long) Math.ceil(options.vertexSlack() * vertices / options.partitionCount());
    }

    private static long roomVolume(int partition, long maxEdges, @Nullable EarlierPlaces earlier) {
        long edges = earlier == null ? 0 : earlier.loads().edges(partition);
        return 2 * Math.max(0, maxEdges - edges);
    }

    private int[] plan(int[] clusters, long seed) {
        GraphPart part = GraphPart.of(graph);
        int clusterCount = Arrays.stream(clusters).max().orElse(-1) + 1;
        if (part != null) {
            clusterCount = (int) Arrays.stream(part.gather(clusterCount)).max().orElse(0);
        }
        QuotientGraphBuilder quotient = new QuotientGraphBuilder(
                earlier == null ? clusterCount : clusterCount + partitionCount,
                QuotientGraphBuilder.pairsFor(clusters.length));
        for (int v = 0; v < clusters.length; v++) {
            if (GraphPart.isOwn(graph, v)) {
                quotient.addVertex(clusters[v], graph.degree(v));
            }
        }
        try (EdgePass edges = graph.edges()) {
            while (edges.next()) {
                quotient.addEdge(clusters[edges.source()], clusters[edges.target()]);
            }
        }
        PlanRequest request = new PlanRequest(partitionCount, maxVertices, 2 * maxEdges, seed);
        if (earlier != null) {
            addEarlier(quotient, clusters, clusterCount, earlier.counts());
            return QuotientPlanner.plan(quotient.build(), request.withRooms(new PlanRooms(roomSizes, roomVolumes)));
        }
        if (present == null) {
            return plan(part, quotient, request);
        }
        int[] presentHomes = part == null ? present.homes(clusters) : present.homes(part, clusters, clusterCount);
        int[] plan = plan(part, quotient, request.withPresent(presentHomes, MOVE_COST));
        for (int v = 0; v < clusters.length; v++) {
            moved.set(v, plan[clusters[v]] != presentHomes[clusters[v]]);
        }
        return plan;
    }

    private static int[] plan(@Nullable GraphPart part, QuotientGraphBuilder quotient, PlanRequest request) {
        return part == null ? QuotientPlanner.plan(quotient.build(), request) : SharedPlan.of(part, quotient, request);
    }

    /** Adds the edges from clusters to what stands for the partitions. */
    private static void addEarlier(
            QuotientGraphBuilder quotient, int[] clusters, int firstPartition, EdgeCounts counts) {
        for (int v = 0; v < clusters.length; v++) {
            int size = counts.size(v);
            for (int i = 0; i < size; i++) {
                long entry = counts.entry(v, i);
                quotient.addEdges(clusters[v], firstPartition + EdgeCounts.partition(entry), EdgeCounts.count(entry));
            }
        }
    }

    /** Moves each vertex to the home of most of its neighbours, where it has room. */
    private void follow(long[] sizes, long[] volumes, @Nullable PlacesExchange exchange) {
        int[] counts = new int[partitionCount];
        Runnable turn = () -> {
            if (exchange != null) {
                exchange.exchange();
                sizeRoom.share(sizes);
                volumeRoom.share(volumes);
            }
        };
        turn.run();
        try (VertexPass vertices = GraphPart.vertices(graph, turn)) {
            while (vertices.next()) {
                int v = vertices.vertex();
                int[] neighbours = vertices.neighbours();
                int from = vertices.from();
                int to = vertices.to();
                int own = homes[v];
                int best = own;
                int known = earlier == null ? 0 : addEarlier(v, earlier.counts(), counts);
                for (int i = from; i < to; i++) {
                    counts[homes[neighbours[i]]]++;
                }
                for (int i = from - known; i < to; i++) {
                    int p = i < from ? earlierPlace(v, from - 1 - i) : homes[neighbours[i]];
                    if (counts[p] > counts[best]
                            && volumes[p] + to - from <= volumeRoom.cap(p)
                            && sizes[p] < sizeRoom.cap(p)) {
                        best = p;
                    }
                }
                for (int i = from - known; i < to; i++) {
                    counts[i < from ? earlierPlace(v, from - 1 - i) : homes[neighbours[i]]] = 0;
                }
                sizes[own]--;
                sizes[best]++;
                volumes[own] -= to - from;
                volumes[best] += to - from;
                homes[v] = best;
                if (exchange != null && best != own) {
                    exchange.moved(v);
                }
            }
        }
    }

    /** Adds the earlier edges of a vertex to those by partition; on how many partitions it has some. */
    private static int addEarlier(int vertex, EdgeCounts earlier, int[] counts) {
        int size = earlier.size(vertex);
        for (int i = 0; i < size; i++) {
            long entry = earlier.entry(vertex, i);
            counts[EdgeCounts.partition(entry)] += EdgeCounts.count(entry);
        }
        return size;
    }

    private int earlierPlace(int vertex, int i) {
        return earlier == null ? 0 : EdgeCounts.partition(earlier.counts().entry(vertex, i));
    }
}
