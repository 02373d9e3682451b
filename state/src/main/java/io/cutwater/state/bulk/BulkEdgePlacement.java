package io.cutwater.state.bulk;

import io.cutwater.state.cluster.ModularityClustering;
import io.cutwater.state.disk.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.graph.VertexPass;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.TrainingVertices;
import io.cutwater.state.plan.PlanRequest;
import io.cutwater.state.plan.QuotientGraphBuilder;
import io.cutwater.state.plan.QuotientPlanner;
import io.cutwater.state.table.PartitionLoads;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Our edge partitioning of a graph that is read in passes: small clusters of high modularity, a plan on the graph of
 * clusters, a home for each vertex, edges placed by the homes of their ends, and a polish ({@link EdgePolish}).
 *
 * <ol>
 *   <li>The plan caps the volume of a partition and the vertices that have their home there, and both caps hold for
 *       what follows.
 *   <li>A vertex's home is its cluster's partition; then, {@value #HOME_PASSES} times, that of most of its neighbours
 *       with room for it.
 *   <li>An edge whose ends share a home goes there. The others follow, each to the partition with the largest sum of
 *       SIGMA's gains (2 − d(x) / (d(u) + d(v)) for each end x with a replica there), 0.3 for each end at home there,
 *       and half the share of room left; the lowest of equally good ones. A partition with more replicas than the
 *       average times the slack of vertices loses 10 times the excess for each end that is new there: a tenth of the
 *       average too much outweighs a replica.
 *   <li>Vertices that are trained on are spread last, if there are any ({@link TrainingMasters}).
 * </ol>
 */
public final class BulkEdgePlacement {
    private static final int HOME_PASSES = 4;
    private static final double HOME_GAIN = 0.3;
    private static final double ROOM_GAIN = 0.5;
    private static final double CROWD_LOSS = 10;
    private static final double MOVE_COST = Double.parseDouble(System.getProperty("mc", ".05"));
    private static final double STAY_GAIN = Double.parseDouble(System.getProperty("stay", ".2"));
    private static final double MOVE_PRICE = Double.parseDouble(System.getProperty("price", ".003"));

    private final BoundedGraph graph;
    private final EdgePlaces places;
    private final int partitionCount;
    private final long maxEdges;
    private final long maxVertices;
    private final double vertexSlack;
    private final double grain;
    private final @Nullable PresentEdges present;
    private int[] clusterOf = {};
    private int[] presentHomes = {};
    static final boolean KEEP = Boolean.getBoolean("keep");

    private BulkEdgePlacement(
            BoundedGraph graph, BulkEdgeOptions options, EdgePlaces places, @Nullable PresentEdges present) {
        this.graph = graph;
        this.present = present;
        this.places = places;
        partitionCount = options.partitionCount();
        maxEdges = options.maxEdges(graph.edgeCount());
        grain = options.grain();
        vertexSlack = options.vertexSlack();
        maxVertices = (long) Math.ceil(vertexSlack * graph.vertexCount() / partitionCount);
    }

    /** The partition of each edge of a graph in memory, 0 to k − 1. */
    public static int[] place(BoundedGraph graph, BulkEdgeOptions options) {
        int[] partitions = new int[Math.toIntExact(graph.edgeCount())];
        Arrays.fill(partitions, EdgePlaces.NONE);
        place(graph, options, EdgePlaces.of(partitions));
        return partitions;
    }

    /**
     * Places each edge of a graph. The same graph and options give the same placement.
     *
     * @param places of the edges, none of which has one; then each has, 0 to k − 1
     */
    public static void place(BoundedGraph graph, BulkEdgeOptions options, EdgePlaces places) {
        place(graph, options, places, null);
    }

    /**
     * Places each edge of a graph that has a placement, so that few have to move.
     *
     * @param options of any edge algorithm: those of its settings count that {@code cutwater} has, too
     * @param present the places now, 0 to {@code partitionsBefore} − 1
     * @param places of the edges, none of which has one; then each has, 0 to k − 1
     */
    public static void replace(
            BoundedGraph graph,
            PartitionerOptions options,
            EdgePlaces present,
            int partitionsBefore,
            EdgePlaces places) {
        place(graph, BulkAlgorithms.cutwater(options), places, PresentEdges.of(graph, present, partitionsBefore));
    }

    private static void place(
            BoundedGraph graph, BulkEdgeOptions options, EdgePlaces places, @Nullable PresentEdges present) {
        BulkEdgePlacement placement = new BulkEdgePlacement(graph, options, places, present);
        int[] homes = placement.homes(options.seed());
        PartitionLoads loads = new PartitionLoads(options.partitionCount());
        EdgeCounts counts = new EdgeCounts(graph.vertexCount());
        placement.placeAtHome(homes, loads, counts);
        placement.placeOthers(homes, loads, counts);
        EdgePolish polish = new EdgePolish(graph, places, placement.maxEdges, options.vertexSlack(), loads, counts);
        if (present != null) {
            polish.nearTo(present.places(), MOVE_PRICE);
        }
        polish.polish();
        TrainingVertices training = options.training();
        if (training != null) {
            BitSet among = training.among(graph.vertexCount(), graph::vertex);
            long max = training.max(among.cardinality(), options.partitionCount());
            new TrainingMasters(graph, places, among, max, placement.maxEdges, polish.loads(), counts).spread();
        }
    }

    private int[] homes(long seed) {
        int[] homes = clusters();
        int[] plan = plan(homes, seed);
        clusterOf = homes.clone();
        long[] sizes = new long[partitionCount];
        long[] volumes = new long[partitionCount];
        for (int v = 0; v < homes.length; v++) {
            homes[v] = plan[homes[v]];
            sizes[homes[v]]++;
            volumes[homes[v]] += graph.degree(v);
        }
        for (int pass = 0; pass < HOME_PASSES; pass++) {
            moveHomes(homes, sizes, volumes);
        }
        return homes;
    }

    private int[] clusters() {
        int maxSize = (int) Math.max(1, grain * maxVertices);
        ModularityClustering clustering = new ModularityClustering(
                graph.vertexCount(), graph.edgeCount(), (long) (grain * 2 * maxEdges), maxSize);
        return clustering.of(graph);
    }

    private int[] plan(int[] clusters, long seed) {
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
        PlanRequest request = new PlanRequest(partitionCount, maxVertices, 2 * maxEdges, seed);
        if (present != null) {
            request = request.withPresent(presentHomes = present.homes(clusters), MOVE_COST);
        }
        return QuotientPlanner.plan(quotient.build(), request);
    }

    private void moveHomes(int[] homes, long[] sizes, long[] volumes) {
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
                    if (counts[p] > counts[best] && volumes[p] + to - from <= 2 * maxEdges && sizes[p] < maxVertices) {
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

    private void placeAtHome(int[] homes, PartitionLoads loads, EdgeCounts counts) {
        EdgePlaces presentPlaces = present == null ? EdgePlaces.none() : present.places();
        try (EdgePass edges = graph.edges();
                EdgePlaces.Pass pass = places.pass();
                EdgePlaces.Pass presentPass = presentPlaces.pass()) {
            while (edges.next()) {
                int home = homes[edges.source()];
                pass.next();
                int stay = presentPass.next();
                if (KEEP
                        && stay != EdgePlaces.NONE
                        && stay < partitionCount
                        && loads.edges(stay) < maxEdges
                        && homes[edges.source()] == presentHomes[clusterOf[edges.source()]]
                        && homes[edges.target()] == presentHomes[clusterOf[edges.target()]]) {
                    pass.set(stay);
                    counts.add(edges, stay, loads);
                    continue;
                }
                if (home == homes[edges.target()] && loads.edges(home) < maxEdges) {
                    pass.set(home);
                    counts.add(edges, home, loads);
                }
            }
        }
    }

    private void placeOthers(int[] homes, PartitionLoads loads, EdgeCounts counts) {
        PartitionGains gains = new PartitionGains(partitionCount);
        EdgePlaces presentPlaces = present == null ? EdgePlaces.none() : present.places();
        try (EdgePass edges = graph.edges();
                EdgePlaces.Pass pass = places.pass();
                EdgePlaces.Pass presentPass = presentPlaces.pass()) {
            while (edges.next()) {
                int stay = presentPass.next();
                if (pass.next() == EdgePlaces.NONE) {
                    int source = edges.source();
                    int target = edges.target();
                    if (stay != EdgePlaces.NONE && stay < partitionCount) {
                        gains.add(stay, STAY_GAIN);
                    }
                    gains.addHolders(source, target, graph.degree(source), graph.degree(target), counts);
                    gains.add(homes[source], HOME_GAIN);
                    gains.add(homes[target], HOME_GAIN);
                    int partition = best(source, target, gains, loads, counts);
                    pass.set(partition);
                    counts.add(edges, partition, loads);
                }
            }
        }
    }

    /** The best of the partitions that gain something, and of the least loaded one, which always has room. */
    private int best(int source, int target, PartitionGains gains, PartitionLoads loads, EdgeCounts counts) {
        gains.add(loads.leastLoaded(), 0);
        double perEdge = ROOM_GAIN / maxEdges;
        double average = (double) Math.max(1, loads.totalReplicas()) / partitionCount;
        int best = 0;
        double bestScore = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < gains.size(); i++) {
            int p = gains.partition(i);
            if (loads.edges(p) < maxEdges) {
                double score = gains.of(p) + perEdge * (maxEdges - loads.edges(p));
                double excess = loads.vertices(p) - vertexSlack * average;
                if (excess > 0) {
                    int newThere = (counts.count(source, p) == 0 ? 1 : 0) + (counts.count(target, p) == 0 ? 1 : 0);
                    score -= CROWD_LOSS * excess / average * newThere;
                }
                if (score > bestScore || score == bestScore && p < best) {
                    best = p;
                    bestScore = score;
                }
            }
        }
        gains.clear();
        return best;
    }
}
