package io.cutwater.state.repartition;

import io.cutwater.state.algorithm.cutwater.CutwaterBulkPartitioner;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.disk.places.PlacesFile;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.parts.EdgeRoom;
import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.passes.EdgeCounts;
import io.cutwater.state.passes.EdgePolish;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.scratch.ScratchFolder;
import io.cutwater.state.table.PartitionLoads;
import java.io.IOException;
import java.util.Arrays;

/**
 * Which edges move. An edge moves once.
 *
 * <ol>
 *   <li>A placement is wanted that {@link CutwaterBulkPartitioner} finds near the present one: of one in which edges
 *       gather at their homes and one in which they stay where nothing speaks against it, that with fewer replicas,
 *       each edge that has to move counting for {@value #MOVE_PRICE}. It may be the present one, if that is within the
 *       cap.
 *   <li>If the budget is enough for all of that, it is what is done, those edges first that free most replicas.
 *   <li>Otherwise edges leave partitions that go or are above the cap for the places that are wanted. Then those move
 *       that help most at once ({@link EdgePolish}), wherever that is; and then others, to where they are wanted.
 * </ol>
 */
final class EdgeRepartition {
    private static final double MOVE_PRICE = 0.03;

    /** The replicas that a move of an edge to its wanted partition must free, by pass. */
    private static final double[] LEAST_FREED = {0.9, 0.6, 0.4, 0.3, 0.2, 0.12, 0.06, 0.03, 0.01};

    /** The replicas that a move must free, by pass, for an edge that must leave its partition. */
    private static final double[] LEAST_FREED_BY_URGENT = {0.5, 0.1, 0, -0.2, -0.6, -1.1, Double.NEGATIVE_INFINITY};

    /** The gain in {@link EdgePolish} that a move of an edge needs, by pass; repeated, since moves enable others. */
    private static final double[] LEAST_GAINS = {0.4, 0.15, 0.15, 0.08, 0.08, 0.04, 0.04, 0.02, 0.02, 0.01, 0.01, 0.005
    };

    private final RepartitionRequest request;
    private final BoundedGraph graph;
    private final EdgePlaces present;
    private final PlacesFile now;
    private final MoveLog log;
    private final EdgeCounts counts;
    private final long[] edges;
    private final long[] replicas;
    private final int wantedPartitions;
    private EdgeCounts wantedCounts;
    private long maxEdges;
    private long left;

    private EdgeRepartition(
            RepartitionRequest request, BoundedGraph graph, EdgePlaces present, PlacesFile now, MoveLog log) {
        this.request = request;
        this.graph = graph;
        this.present = present;
        this.now = now;
        this.log = log;
        wantedPartitions = request.options().partitionCount();
        counts = new EdgeCounts(graph.vertexCount());
        wantedCounts = counts;
        PartitionLoads loads = new PartitionLoads(Math.max(request.partitionsBefore(), wantedPartitions));
        Runnable exchange = counts.exchange(graph, loads);
        try (EdgePass pass = GraphPart.edges(graph, exchange);
                EdgePlaces.Pass from = present.pass();
                EdgePlaces.Pass to = now.pass()) {
            while (pass.next()) {
                int place = from.next();
                to.next();
                to.set(place);
                counts.add(pass, place, loads);
            }
        }
        edges = loads.edges();
        replicas = loads.vertices();
        left = (long) (request.budget() * graph.edgeCount());
    }

    /** @param present the partition of each edge */
    static RepartitionPlan plan(
            RepartitionRequest request, BoundedGraph graph, EdgePlaces present, ScratchFolder files, MoveLog log)
            throws IOException {
        try (PlacesFile now = new PlacesFile(files, "now");
                PlacesFile gathered = new PlacesFile(files, "gathered");
                PlacesFile kept = new PlacesFile(files, "kept")) {
            return new EdgeRepartition(request, graph, present, now, log).plan(gathered, kept);
        }
    }

    private RepartitionPlan plan(PlacesFile gathered, PlacesFile kept) throws IOException {
        Quality before = quality(request.partitionsBefore());
        CutwaterBulkPartitioner placement =
                CutwaterBulkPartitioner.near(graph, request.options(), present, request.partitionsBefore());
        maxEdges = placement.maxEdges();
        EdgeCounts gatheredCounts = new EdgeCounts(graph.vertexCount());
        long gatheredReplicas = placement.place(gathered, false, gatheredCounts).totalReplicas();
        EdgeCounts keptCounts = new EdgeCounts(graph.vertexCount());
        long keptReplicas = placement.place(kept, true, keptCounts).totalReplicas();
        long toGather = moves(gathered);
        long toKeep = moves(kept);
        boolean gathers = cost(gatheredReplicas, toGather) < cost(keptReplicas, toKeep);
        wantedCounts = gathers ? gatheredCounts : keptCounts;
        long moves = gathers ? toGather : toKeep;
        EdgePlaces wanted = gathers ? gathered : kept;
        long wantedReplicas = gathers ? gatheredReplicas : keptReplicas;
        if (isWithinCap() && Arrays.stream(replicas).sum() <= cost(wantedReplicas, moves)) {
            wanted = now;
            wantedCounts = counts;
        }
        EdgePolish polish = new EdgePolish(graph, now, maxEdges, placement.vertexSlack(), edges, replicas, counts);
        move(wanted, moves <= left, polish);
        Quality expected = quality(isEmptyBeyond(wantedPartitions) ? wantedPartitions : edges.length);
        long allMoves = GraphPart.sum(graph, log.moves());
        return new RepartitionPlan(graph.edgeCount(), allMoves, allMoves, before, expected);
    }

    private static double cost(long replicas, long moves) {
        return replicas + MOVE_PRICE * moves;
    }

    private long moves(EdgePlaces wanted) {
        GraphPart part = GraphPart.of(graph);
        long moves = 0;
        try (EdgePlaces.Pass from = present.pass();
                EdgePlaces.Pass to = wanted.pass()) {
            for (long i = part == null ? graph.edgeCount() : part.ownEdges(); i > 0; i--) {
                moves += from.next() == to.next() ? 0 : 1;
            }
        }
        return GraphPart.sum(graph, moves);
    }

    private boolean isWithinCap() {
        return isEmptyBeyond(wantedPartitions) && Arrays.stream(edges).allMatch(load -> load <= maxEdges);
    }

    private boolean isEmptyBeyond(int partitions) {
        return Arrays.stream(edges).skip(partitions).allMatch(load -> load == 0);
    }

    private void move(EdgePlaces wanted, boolean isAffordable, EdgePolish polish) throws IOException {
        if (wanted != now) {
            if (isAffordable) {
                moveWanted(wanted, polish, false, true, LEAST_FREED);
                moveWanted(wanted, polish, false, true, Double.NEGATIVE_INFINITY);
                return;
            }
            moveWanted(wanted, polish, true, false, LEAST_FREED_BY_URGENT);
        }
        if (isEmptyBeyond(wantedPartitions)) {
            polish(polish);
        }
        if (wanted != now) {
            moveWanted(wanted, polish, false, false, LEAST_FREED);
        }
    }

    private void polish(EdgePolish polish) throws IOException {
        polish.nearTo(present, 0);
        for (double least : LEAST_GAINS) {
            left -= GraphPart.sum(graph, polish.pass(least, GraphPart.share(graph, left), this::log));
        }
    }

    private void log(int source, int target, int from, int to) throws IOException {
        log.add(graph.vertex(source), graph.vertex(target), from, to);
    }

    /** Passes over the edges that are wanted elsewhere and did not move yet. */
    private void moveWanted(
            EdgePlaces wanted, EdgePolish polish, boolean isUrgent, boolean isAffordable, double... leastFreed)
            throws IOException {
        EdgeRoom room = polish.room();
        for (double least : leastFreed) {
            long most = isAffordable ? Long.MAX_VALUE : GraphPart.share(graph, left);
            long made = 0;
            try (EdgePass pass = polish.edges();
                    EdgePlaces.Pass presentPass = present.pass();
                    EdgePlaces.Pass nowPass = now.pass();
                    EdgePlaces.Pass wantedPass = wanted.pass()) {
                while (made < most && pass.next()) {
                    int from = nowPass.next();
                    boolean isMoved = presentPass.next() != from;
                    int to = wantedPass.next();
                    boolean mustGo = from >= wantedPartitions || edges[from] > room.floor(from);
                    if (from != to
                            && !isMoved
                            && (mustGo || !isUrgent)
                            && (edges[to] < room.cap(to) || least == Double.NEGATIVE_INFINITY)
                            && freed(pass.source(), from, to) + freed(pass.target(), from, to) >= least) {
                        nowPass.set(to);
                        polish.move(pass.source(), pass.target(), from, to);
                        log(pass.source(), pass.target(), from, to);
                        made++;
                    }
                }
            }
            left -= GraphPart.sum(graph, made);
        }
    }

    /** An edge's share in the replica of an end that goes, less its share in the one that comes. */
    private double freed(int vertex, int from, int to) {
        double freed = wantedCounts.count(vertex, from) == 0 ? 1.0 / counts.count(vertex, from) : 0;
        double made = counts.count(vertex, to) == 0 ? 1.0 / Math.max(1, wantedCounts.count(vertex, to)) : 0;
        return freed - made;
    }

    private Quality quality(int partitions) {
        return Quality.of(
                new PartitionLoads(
                        Arrays.copyOf(edges, partitions),
                        Arrays.copyOf(replicas, partitions),
                        GraphPart.allVertices(graph)),
                0);
    }
}
