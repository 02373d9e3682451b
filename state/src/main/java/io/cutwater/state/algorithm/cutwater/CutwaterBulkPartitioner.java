package io.cutwater.state.algorithm.cutwater;

import io.cutwater.state.cluster.Communities;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.joint.EarlierPlaces;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.TrainingVertices;
import io.cutwater.state.parts.EdgeRoom;
import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.passes.EdgeCounts;
import io.cutwater.state.passes.EdgePolish;
import io.cutwater.state.passes.PartitionGains;
import io.cutwater.state.passes.PresentEdges;
import io.cutwater.state.passes.TrainingMasters;
import io.cutwater.state.rule.GraphPartitioner;
import io.cutwater.state.table.PartitionLoads;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Cutwater's bulk rule for edges: small clusters of high modularity, a plan on the graph of clusters, a home for each
 * vertex, edges placed by the homes of their endpoints, and a polish ({@link EdgePolish}).
 *
 * <ol>
 *   <li>The plan caps the volume of a partition and the vertices that have their home there, and both caps hold for
 *       what follows.
 *   <li>A vertex's home is its cluster's partition; then, {@value VertexHomes#PASSES} times, that of most of its
 *       neighbours with room for it.
 *   <li>An edge whose ends share a home goes there. The others follow, each to the partition with the largest sum of
 *       SIGMA's gains (2 − d(x) / (d(u) + d(v)) for each end x with a replica there), 0.3 for each end at home there,
 *       and half the share of room left; the lowest of equally good ones. A partition with more replicas than the
 *       average times the slack of vertices loses 10 times the excess for each end that is new there: a tenth of the
 *       average too much outweighs a replica.
 *   <li>Vertices that are trained on are spread last, if there are any ({@link TrainingMasters}).
 * </ol>
 */
public final class CutwaterBulkPartitioner {
    private static final double HOME_GAIN = 0.3;
    private static final double ROOM_GAIN = 0.5;
    private static final double CROWD_LOSS = 10;

    /** Gain of the present partition of an edge. */
    private static final double STAY_GAIN = 0.2;

    /** Minimum gain of the polish for an edge that leaves its present partition. */
    private static final double MOVE_PRICE = 0.001;

    /** Passes of the polish over a part of a graph; most edges are in several parts, one after the other. */
    private static final int POLISH_PASSES_OF_PART = 2;

    private final BoundedGraph graph;
    private final int partitionCount;
    private final long maxEdges;
    private final double vertexSlack;
    private final @Nullable PresentEdges present;
    private final @Nullable EarlierPlaces earlier;

    private final VertexHomes homes;

    private CutwaterBulkPartitioner(
            BoundedGraph graph,
            CutwaterBulkOptions options,
            @Nullable PresentEdges present,
            @Nullable EarlierPlaces earlier,
            int[] clusters) {
        this.graph = graph;
        this.present = present;
        this.earlier = earlier;
        partitionCount = options.partitionCount();
        maxEdges = maxEdges(graph, options, earlier);
        vertexSlack = options.vertexSlack();
        homes = new VertexHomes(graph, clusters, options, maxEdges, present, earlier);
    }

    private static CutwaterBulkPartitioner of(
            BoundedGraph graph,
            CutwaterBulkOptions options,
            @Nullable PresentEdges present,
            @Nullable EarlierPlaces earlier) {
        int[] clusters = VertexHomes.clusters(graph, options, maxEdges(graph, options, earlier), earlier);
        return new CutwaterBulkPartitioner(graph, options, present, earlier, clusters);
    }

    private static long maxEdges(BoundedGraph graph, CutwaterBulkOptions options, @Nullable EarlierPlaces earlier) {
        return earlier == null ? options.maxEdges(graph.edgeCount()) : earlier.maxEdges();
    }

    /**
     * The bulk rule.
     *
     * @throws IllegalArgumentException if a setting is out of range
     */
    public static GraphPartitioner rule(PartitionerOptions options) {
        CutwaterBulkOptions bulk = CutwaterBulkOptions.of(options);
        return new GraphPartitioner() {
            @Override
            public void place(BoundedGraph graph, EdgePlaces places) {
                CutwaterBulkPartitioner.place(graph, bulk, places);
            }

            @Override
            public void finish(BoundedGraph graph, EdgePlaces places) {
                TrainingVertices training = bulk.training();
                if (training != null) {
                    PartitionLoads loads = new PartitionLoads(bulk.partitionCount());
                    EdgeCounts counts = new EdgeCounts(graph.vertexCount());
                    counts.addAll(graph, places, loads);
                    spread(graph, places, bulk, training, loads.edges(), counts);
                }
            }
        };
    }

    /** The partition of each edge of a graph in memory, 0 to k − 1. */
    public static int[] place(BoundedGraph graph, CutwaterBulkOptions options) {
        int[] partitions = new int[Math.toIntExact(graph.edgeCount())];
        Arrays.fill(partitions, EdgePlaces.NONE);
        place(graph, options, EdgePlaces.of(partitions));
        return partitions;
    }

    /**
     * Places each edge of a graph. The same graph and options give the same placement. If the graph is a part, its
     * training vertices are not spread.
     *
     * @param places of the edges, none of which has one; then each has, 0 to k − 1
     */
    public static void place(BoundedGraph graph, CutwaterBulkOptions options, EdgePlaces places) {
        CutwaterBulkPartitioner placement = of(graph, options, null, null);
        EdgeCounts counts = new EdgeCounts(graph.vertexCount());
        long[] loads = placement.place(places, false, counts).edges();
        TrainingVertices training = options.training();
        if (training != null && GraphPart.of(graph) == null) {
            spread(graph, places, options, training, loads, counts);
        }
    }

    private static void spread(
            BoundedGraph graph,
            EdgePlaces places,
            CutwaterBulkOptions options,
            TrainingVertices training,
            long[] loads,
            EdgeCounts counts) {
        BitSet among = training.among(graph.vertexCount(), graph::vertex);
        long max = training.max(among.cardinality(), options.partitionCount());
        long maxEdges = options.maxEdges(graph.edgeCount());
        new TrainingMasters(graph, places, among, max, maxEdges, loads, counts).spread();
    }

    /**
     * Prepares other placements of a graph that has one, such that few edges have to move. The plan counts what it
     * costs that a cluster leaves the partition where it has most edges; an edge that is not at home has a gain where
     * it is; and the polish takes back moves that gain next to nothing.
     *
     * @param options of any edge algorithm: those of its settings count that {@code cutwater} has, too; vertices that
     *     are trained on are not looked at
     * @param places the places now, 0 to {@code partitionsBefore} − 1
     */
    public static CutwaterBulkPartitioner near(
            BoundedGraph graph, PartitionerOptions options, EdgePlaces places, int partitionsBefore) {
        PresentEdges present = PresentEdges.of(graph, places, partitionsBefore);
        return of(graph, CutwaterBulkOptions.of(options), present, null);
    }

    /**
     * Places each edge.
     *
     * @param places of the edges, none of which has one; then each has, 0 to k − 1
     * @param isKeeping whether an edge stays for now where it is if the clusters of both its ends keep their homes;
     *     else it goes home if its ends share one
     * @param counts of the vertices, all without an edge; then as the edges are placed
     */
    public PartitionLoads place(EdgePlaces places, boolean isKeeping, EdgeCounts counts) {
        PartitionLoads loads = earlier == null ? new PartitionLoads(partitionCount) : earlier.loads();
        EdgeRoom room = new EdgeRoom(graph, maxEdges, partitionCount);
        Runnable exchange = counts.exchange(graph, loads);
        Runnable turn = () -> {
            exchange.run();
            room.share(loads.edges());
        };
        turn = GraphPart.of(graph) == null ? () -> {} : turn;
        room.share(loads.edges());
        placeAtHome(places, isKeeping, loads, counts, room, turn);
        placeOthers(places, loads, counts, room, turn);
        EdgePolish polish =
                new EdgePolish(graph, places, maxEdges, vertexSlack, loads.edges(), loads.vertices(), counts);
        if (present != null) {
            polish.nearTo(present.places(), MOVE_PRICE);
        }
        if (earlier == null) {
            polish.polish();
        } else {
            polish.polish(POLISH_PASSES_OF_PART);
        }
        return polish.loads();
    }

    /**
     * Places the edges of a part of a graph near what is known of its vertices. With nothing before it, the part is
     * placed as a whole graph.
     *
     * @param earlier loads and counts include the part afterwards
     * @param isWhole whether the part is all there is, and is placed in any case
     * @param places of the edges, none of which has one; then each has, 0 to k − 1
     * @return the home of each vertex, 0 to k − 1; null if the part shows no communities ({@link Communities}), and
     *     nothing has changed
     */
    public static int @Nullable [] place(
            BoundedGraph part, CutwaterBulkOptions options, EarlierPlaces earlier, boolean isWhole, EdgePlaces places) {
        EarlierPlaces before = earlier.isNone() ? null : earlier;
        int[] clusters = VertexHomes.clusters(part, options, maxEdges(part, options, before), before);
        if (!isWhole
                && !Communities.areShown(
                        part,
                        (double) part.edgeCount() / Math.max(1, part.vertexCount()),
                        clusters,
                        options.partitionCount())) {
            return null;
        }
        CutwaterBulkPartitioner placement = new CutwaterBulkPartitioner(part, options, null, before, clusters);
        placement.place(places, false, earlier.counts());
        return placement.homes.all();
    }

    private int degree(int vertex) {
        return earlier == null ? graph.degree(vertex) : earlier.degrees()[vertex];
    }

    /** Edges that a partition may have. */
    public long maxEdges() {
        return maxEdges;
    }

    /** Replicas that a partition may have over the average; beyond it takes no new ones. */
    public double vertexSlack() {
        return vertexSlack;
    }

    private void placeAtHome(
            EdgePlaces places,
            boolean isKeeping,
            PartitionLoads loads,
            EdgeCounts counts,
            EdgeRoom room,
            Runnable turn) {
        try (EdgePass edges = GraphPart.edges(graph, turn);
                EdgePlaces.Pass pass = places.pass();
                EdgePlaces.Pass presentPass = presentPlaces().pass()) {
            while (edges.next()) {
                pass.next();
                int source = edges.source();
                int target = edges.target();
                int home = homes.of(source) == homes.of(target) ? homes.of(source) : EdgePlaces.NONE;
                int stay = openPlace(presentPass.next());
                if (isKeeping && stay != EdgePlaces.NONE && !homes.hasMoved(source) && !homes.hasMoved(target)) {
                    home = stay;
                }
                if (home != EdgePlaces.NONE && loads.edges(home) < room.cap(home)) {
                    pass.set(home);
                    counts.add(edges, home, loads);
                }
            }
        }
    }

    private EdgePlaces presentPlaces() {
        return present == null ? EdgePlaces.none() : present.places();
    }

    /** The place itself, or none if the partition goes. */
    private int openPlace(int place) {
        return place < partitionCount ? place : EdgePlaces.NONE;
    }

    private void placeOthers(EdgePlaces places, PartitionLoads loads, EdgeCounts counts, EdgeRoom room, Runnable turn) {
        long left = GraphPart.sum(graph, placeOthers(places, loads, counts, room, turn, false));
        GraphPart part = GraphPart.of(graph);
        // The shares of some parts were too small for their edges: each has all the room that is left in its turn.
        for (int p = 0; part != null && left > 0 && p < part.parts(); p++) {
            room.giveTo(p, loads.edges());
            int only = p;
            Runnable exchange = counts.exchange(graph, loads);
            placeOthers(
                    places,
                    loads,
                    counts,
                    room,
                    () -> {
                        exchange.run();
                        room.giveTo(only, loads.edges());
                    },
                    part.part() == p);
        }
    }

    /** @param isLast whether the edges that find no room are placed all the same */
    private long placeOthers(
            EdgePlaces places, PartitionLoads loads, EdgeCounts counts, EdgeRoom room, Runnable turn, boolean isLast) {
        boolean isWhole = GraphPart.of(graph) == null;
        long left = 0;
        PartitionGains gains = new PartitionGains(partitionCount);
        try (EdgePass edges = GraphPart.edges(graph, turn);
                EdgePlaces.Pass pass = places.pass();
                EdgePlaces.Pass presentPass = presentPlaces().pass()) {
            while (edges.next()) {
                int stay = openPlace(presentPass.next());
                if (pass.next() == EdgePlaces.NONE) {
                    int source = edges.source();
                    int target = edges.target();
                    gains.addHolders(source, target, degree(source), degree(target), counts);
                    gains.add(homes.of(source), HOME_GAIN);
                    gains.add(homes.of(target), HOME_GAIN);
                    if (stay != EdgePlaces.NONE) {
                        gains.add(stay, STAY_GAIN);
                    }
                    int partition = best(source, target, gains, loads, counts, room);
                    if (loads.edges(partition) < room.cap(partition) || isWhole || isLast) {
                        pass.set(partition);
                        counts.add(edges, partition, loads);
                    } else {
                        left++;
                    }
                }
            }
        }
        return left;
    }

    /** The best of the partitions that gain something, and of the least loaded one, which always has room. */
    private int best(
            int source, int target, PartitionGains gains, PartitionLoads loads, EdgeCounts counts, EdgeRoom room) {
        gains.add(loads.leastLoaded(), 0);
        double perEdge = ROOM_GAIN / maxEdges;
        double average = (double) Math.max(1, loads.totalReplicas()) / partitionCount;
        int best = 0;
        double bestScore = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < gains.size(); i++) {
            int p = gains.partition(i);
            if (loads.edges(p) < room.cap(p)) {
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
