package io.cutwater.state.algorithm.cutwater;

import io.cutwater.state.cluster.ClusterHomes;
import io.cutwater.state.cluster.Communities;
import io.cutwater.state.cluster.ModularityClustering;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.joint.EarlierOwners;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.Settings;
import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.passes.EdgeCounts;
import io.cutwater.state.passes.VertexPassRunner;
import io.cutwater.state.plan.PlanRequest;
import io.cutwater.state.plan.PlanRooms;
import io.cutwater.state.plan.QuotientGraphBuilder;
import io.cutwater.state.plan.QuotientPlanner;
import io.cutwater.state.plan.SharedPlan;
import io.cutwater.state.rule.NeighbourCounts;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.rule.VertexPlacement;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Cutwater's bulk rule for vertices. It forms many small clusters of high modularity, partitions the graph of clusters
 * under both caps ({@link QuotientPlanner}), and then moves each vertex, in several passes, to the partition of most of
 * its neighbours that has room; with equally many neighbours, to the emptier one. The passes end when fewer than one
 * vertex in 500 moves, or after {@value #MAX_REFINEMENTS}.
 *
 * <p>No partition has more than {@code vertex-slack} · n / k vertices or {@code volume-slack} · 2 m / k volume, unless
 * single vertices are too large for that; and none has more training vertices than it may, if these are to be spread.
 */
public final class CutwaterVertexPartitioner implements VertexPartitioner {
    public static final NumericSetting VERTEX_SLACK = Settings.VERTEX_SLACK;
    public static final NumericSetting VOLUME_SLACK = Settings.VOLUME_SLACK;

    /** Maximum size of a cluster, as a share of a partition. */
    public static final NumericSetting GRAIN = Settings.GRAIN;

    private static final int NOWHERE = VertexPlacement.NOWHERE;
    private static final int MAX_REFINEMENTS = 8;
    private static final int LEAST_MOVES = 500;

    /** Cost in a plan of moving an endpoint away from its present owner, in cut edges. */
    private static final double MOVE_COST = 0.03;

    /** Volume of the largest cluster beside earlier owners, as a share of the mean room of a partition. */
    private static final double GRAIN_OF_ROOM = 0.25;

    private enum Stage {
        CLUSTER,
        WEIGH,
        PLACE,
        REFINE
    }

    private final PartitionerOptions options;
    private final PlanRequest request;
    private final int @Nullable [] present;
    private final @Nullable EarlierOwners earlier;
    private final boolean isKeeping;
    private final @Nullable GraphPart part;
    private final long allVertices;
    private int[] presentHomes = {};
    private @Nullable VertexPlacement places;
    private final ModularityClustering clustering;
    private final NeighbourCounts counts;
    private boolean isClustered;
    private int[] clusters = {};
    private int clusterCount;
    private int[] plan = {};
    private QuotientGraphBuilder quotient = new QuotientGraphBuilder(0);
    private Stage stage = Stage.CLUSTER;
    private int refinements;
    private long moves;

    public CutwaterVertexPartitioner(PartitionerOptions options, GraphSize size) {
        this(options, size, size.slots(), null, null, false, null);
    }

    /**
     * @param size of the graph, all parts together
     * @param slots vertices of the part, with copies
     * @param part null if the graph is whole
     * @param present the owner of each vertex, near which it is to stay; null for none
     * @param isKeeping whether a vertex begins where it is if its cluster keeps its home; else at home
     * @param earlier owners of other vertices, which stay; null if there are none
     */
    private CutwaterVertexPartitioner(
            PartitionerOptions options,
            GraphSize size,
            int slots,
            @Nullable GraphPart part,
            int @Nullable [] present,
            boolean isKeeping,
            @Nullable EarlierOwners earlier) {
        this.options = options;
        this.part = part;
        allVertices = size.vertices();
        this.isKeeping = isKeeping;
        this.present = present;
        this.earlier = earlier;
        int k = options.partitionCount();
        VertexCaps caps = VertexCaps.of(options, earlier == null ? size : earlier.size());
        long maxSize = caps.vertices();
        long maxVolume = caps.volume();
        request = new PlanRequest(k, maxSize, maxVolume, options.seed());
        double grain = GRAIN.of(options);
        double largest = grain * maxVolume;
        if (earlier != null) {
            largest = Math.min(
                    largest,
                    GRAIN_OF_ROOM
                            * Arrays.stream(rooms(maxVolume, earlier.volumes()))
                                    .average()
                                    .orElse(0));
        }
        int most = (int) Math.max(1, Math.min(Math.min(Integer.MAX_VALUE, allVertices), grain * maxSize));
        clustering = new ModularityClustering(slots, size.edges(), (long) largest, most);
        counts = new NeighbourCounts(k);
    }

    private static long[] rooms(long most, long[] present) {
        return Arrays.stream(present).map(load -> Math.max(0, most - load)).toArray();
    }

    /**
     * Owners for vertices that come to others, which have theirs.
     *
     * @param graph the vertices without an owner and those that may get another one, and the edges between them
     * @param options of bulk passes
     * @param isWhole whether the graph is all there is, and its vertices get owners in any case
     * @param isKeeping whether a vertex begins where it is if its cluster keeps its home; else at home
     * @return the owner of each vertex; null if the graph shows no communities ({@link Communities})
     */
    static int @Nullable [] beside(
            EarlierOwners earlier, BoundedGraph graph, PartitionerOptions options, boolean isWhole, boolean isKeeping) {
        boolean isFirst =
                earlier.present().length == 0 && Arrays.stream(earlier.owned()).sum() == 0;
        GraphSize size = new GraphSize(graph.vertexCount(), graph.edgeCount());
        VertexPlacement placement = new VertexPlacement(options.partitionCount(), size.slots(), graph::vertex);
        placement.addOthers(earlier.owned(), earlier.volumes());
        int[] present = earlier.present().length == 0 ? null : earlier.present();
        CutwaterVertexPartitioner partitioner = new CutwaterVertexPartitioner(
                options, size, size.slots(), null, present, isKeeping, isFirst ? null : earlier);
        partitioner.clusters = partitioner.clustering.of(graph);
        partitioner.isClustered = true;
        if (!isWhole
                && !Communities.areShown(
                        graph, earlier.edgesPerVertex(), partitioner.clusters, options.partitionCount())) {
            return null;
        }
        return VertexPassRunner.place(graph, partitioner, placement, earlier.degrees())
                .partitions();
    }

    /**
     * Other owners for the vertices of a graph that have some, such that few have to move. The plan counts what it
     * costs that a cluster leaves its home, the owner of most of its vertices.
     *
     * @param options of any vertex algorithm: those of its settings count that {@code cutwater} has, too
     * @param owners the partition of each vertex now; it may be beyond the partitions that are wanted
     * @param isKeeping whether a vertex stays for now where it is if its cluster keeps its home; else it goes home
     */
    public static VertexPlacement near(
            BoundedGraph graph, PartitionerOptions options, int[] owners, boolean isKeeping) {
        CutwaterVertexPartitioner partitioner = clustered(graph, options, owners, isKeeping);
        return VertexPassRunner.place(graph, partitioner, options.partitionCount(), options.training());
    }

    private static CutwaterVertexPartitioner clustered(
            BoundedGraph graph, PartitionerOptions options, int @Nullable [] owners, boolean isKeeping) {
        GraphSize size = new GraphSize(GraphPart.allVertices(graph), graph.edgeCount());
        CutwaterVertexPartitioner partitioner = new CutwaterVertexPartitioner(
                options, size, graph.vertexCount(), GraphPart.of(graph), owners, isKeeping, null);
        partitioner.clusters = partitioner.clustering.of(graph);
        partitioner.isClustered = true;
        return partitioner;
    }

    @Override
    public VertexPartitioner ofPart(BoundedGraph ofGraph) {
        return clustered(ofGraph, options, null, false);
    }

    @Override
    public Pass pass(int number, VertexPlacement placement) {
        places = placement;
        switch (stage) {
            case CLUSTER -> {
                if (!isClustered && number > 0 && !clustering.endPass()) {
                    clusters = clustering.clusters();
                    isClustered = true;
                }
                if (isClustered) {
                    placement.limit(request.maxSize(), request.maxVolume());
                    clusterCount = Arrays.stream(clusters).max().orElse(-1) + 1;
                    if (part != null) {
                        clusterCount = (int)
                                Arrays.stream(part.gather(clusterCount)).max().orElse(0);
                    }
                    quotient = new QuotientGraphBuilder(
                            earlier == null ? clusterCount : clusterCount + request.partitionCount(),
                            QuotientGraphBuilder.pairsFor(clusters.length));
                    stage = Stage.WEIGH;
                }
                return Pass.VERTICES;
            }
            case WEIGH -> {
                PlanRequest asked = request.withMaxTraining(placement.maxTraining());
                if (present != null) {
                    presentHomes = earlier == null ? homes(present) : homesBeside(present);
                    asked = asked.withPresent(presentHomes, MOVE_COST);
                }
                if (earlier != null) {
                    asked = asked.withRooms(new PlanRooms(
                            rooms(request.maxSize(), earlier.owned()), rooms(request.maxVolume(), earlier.volumes())));
                }
                plan = part == null
                        ? QuotientPlanner.plan(quotient.build(), asked)
                        : SharedPlan.of(part, quotient, asked);
                quotient = new QuotientGraphBuilder(0); // the large one is not needed any more
                stage = Stage.PLACE;
                return Pass.PLACE;
            }
            default -> {
                long allMoves = part == null ? moves : part.sum(new long[] {moves})[0];
                boolean isDone = stage == Stage.REFINE && allMoves <= allVertices / LEAST_MOVES;
                stage = Stage.REFINE;
                moves = 0;
                return isDone || refinements++ == MAX_REFINEMENTS ? Pass.DONE : Pass.PLACE;
            }
        }
    }

    /** The owner of most of a cluster's vertices, the lowest of equally good ones. */
    private int[] homes(int[] owners) {
        if (part != null) {
            QuotientGraphBuilder vertices = new QuotientGraphBuilder(clusterCount + partitionsOf(part, owners));
            for (int v = 0; v < owners.length; v++) {
                if (part.isOwn(v)) {
                    vertices.addEdges(clusters[v], clusterCount + owners[v], 1);
                }
            }
            return SharedPlan.homes(part, vertices, clusterCount);
        }
        return ClusterHomes.of(
                clusters, Arrays.stream(owners).max().orElse(0) + 1, (v, weights) -> weights[owners[v]]++);
    }

    /**
     * Returns the home of each cluster, and behind them that of the vertex of each partition in the graph of clusters:
     * a cluster's is the owner of most of its vertices that have one, or {@code NOWHERE} if none has.
     */
    private int[] homesBeside(int[] owners) {
        int k = request.partitionCount();
        int[] homes = Arrays.copyOf(
                ClusterHomes.of(clusters, k, (v, weights) -> {
                    if (owners[v] != NOWHERE) {
                        weights[owners[v]]++;
                    }
                }),
                clusterCount + k);
        BitSet owned = new BitSet(clusterCount);
        for (int v = 0; v < owners.length; v++) {
            if (owners[v] != NOWHERE) {
                owned.set(clusters[v]);
            }
        }
        for (int c = owned.nextClearBit(0); c < clusterCount; c = owned.nextClearBit(c + 1)) {
            homes[c] = NOWHERE;
        }
        for (int p = 0; p < k; p++) {
            homes[clusterCount + p] = p;
        }
        return homes;
    }

    private static int partitionsOf(GraphPart part, int[] owners) {
        int highest = Arrays.stream(owners).max().orElse(0);
        return (int) Arrays.stream(part.gather(highest)).max().orElse(0) + 1;
    }

    @Override
    public void observe(int vertex, int[] neighbours, int from, int to) {
        if (stage == Stage.CLUSTER) {
            clustering.add(vertex, neighbours, from, to);
            return;
        }
        int cluster = clusters[vertex];
        quotient.addVertex(cluster, to - from + otherDegree(vertex));
        for (int i = 0; i < earlierPartitions(vertex); i++) {
            long entry = earlierEntry(vertex, i);
            quotient.addEdges(cluster, clusterCount + EdgeCounts.partition(entry), EdgeCounts.count(entry));
        }
        if (Objects.requireNonNull(places, "places is null").isTraining(vertex)) {
            quotient.addTraining(cluster);
        }
        for (int i = from; i < to; i++) {
            if (neighbours[i] > vertex) { // each edge once
                quotient.addEdge(cluster, clusters[neighbours[i]]);
            }
        }
    }

    @Override
    public int place(int vertex, int[] neighbours, int from, int to, VertexPlacement placement) {
        int stay = present != null && present[vertex] < request.partitionCount() ? present[vertex] : NOWHERE;
        if (stage == Stage.PLACE) {
            int cluster = clusters[vertex];
            boolean isKept = isKeeping && stay != NOWHERE && plan[cluster] == presentHomes[cluster];
            return isKept ? stay : plan[cluster];
        }
        int degree = to - from + otherDegree(vertex);
        int own = placement.partition(vertex);
        counts.count(vertex, neighbours, from, to, placement);
        for (int i = 0; i < earlierPartitions(vertex); i++) {
            long entry = earlierEntry(vertex, i);
            counts.add(EdgeCounts.partition(entry), EdgeCounts.count(entry));
        }
        if (stay != NOWHERE) {
            counts.add(stay, 1); // as one more neighbour, so that a vertex moves only for a gain
        }
        int best = own;
        int bestCount = isOverfull(vertex, own, placement) ? -1 : counts.of(own);
        double bestFill = fill(own, placement);
        for (int i = -1; i < counts.size(); i++) {
            int p = i < 0 ? placement.leastLoadedFor(vertex, request.maxSize()) : counts.partition(i);
            int count = counts.of(p);
            if (p != own
                    && count >= bestCount
                    && placement.hasRoom(p, degree)
                    && placement.hasTrainingRoom(vertex, p)) {
                double fill = fill(p, placement);
                if (count > bestCount || fill < bestFill) {
                    best = p;
                    bestCount = count;
                    bestFill = fill;
                }
            }
        }
        moves += best == own ? 0 : 1;
        return best;
    }

    private int otherDegree(int vertex) {
        return earlier == null ? 0 : earlier.degrees()[vertex];
    }

    private int earlierPartitions(int vertex) {
        return earlier == null ? 0 : earlier.counts().size(vertex);
    }

    private long earlierEntry(int vertex, int i) {
        return Objects.requireNonNull(earlier, "no earlier owners").counts().entry(vertex, i);
    }

    private static boolean isOverfull(int vertex, int partition, VertexPlacement placement) {
        return placement.isOverfull(partition)
                || placement.isTraining(vertex) && placement.hasTooManyTraining(partition);
    }

    private double fill(int partition, VertexPlacement placement) {
        return Math.max(
                (double) placement.vertices(partition) / request.maxSize(),
                (double) placement.volume(partition) / Math.max(1, request.maxVolume()));
    }
}
