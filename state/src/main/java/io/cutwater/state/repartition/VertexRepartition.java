package io.cutwater.state.repartition;

import io.cutwater.state.algorithm.cutwater.CutwaterVertexPartitioner;
import io.cutwater.state.algorithm.cutwater.VertexCaps;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.graph.VertexPass;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.passes.VertexPassRunner;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.VertexPlacement;
import java.io.IOException;

/**
 * Which vertices move. A vertex moves once, and costs as much of the budget as it has edges.
 *
 * <ol>
 *   <li>Owners are wanted that {@link VertexPassRunner#near} finds near the present ones: of those where vertices
 *       gather at their clusters' homes and those where they stay where nothing speaks against it, the ones with fewer
 *       copies, each edge of a vertex that has to move counting for {@value #MOVE_PRICE}. They may be the present ones,
 *       if these are within the caps.
 *   <li>If the budget is enough for all of that, it is what is done, those vertices first that gain most.
 *   <li>Otherwise vertices leave partitions that go or are above a cap. Then those move of whose edges most are not cut
 *       afterwards, wherever that is; and then others, to where they are wanted.
 * </ol>
 */
final class VertexRepartition {
    private static final double MOVE_PRICE = 0.01;

    /** The gain that a move of a vertex needs, by pass: edges no longer cut, as a share of its edges. */
    private static final double[] LEAST_GAINS = {0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05};

    /** The gain, by pass, for a vertex that must leave its partition; the last pass accepts any loss. */
    private static final double[] LEAST_GAINS_OF_URGENT = {0.3, 0, -0.3, Double.NEGATIVE_INFINITY};

    private final BoundedGraph graph;
    private final int[] present;
    private final int wantedPartitions;
    private final VertexCaps caps;
    private final VertexPlacement now;
    private final int[] edgesTo;
    private final MoveLog log;
    private int[] wanted;
    private long moved;
    private long left;
    private long maySpend;
    private long spent;

    private VertexRepartition(RepartitionRequest request, BoundedGraph graph, int[] present, MoveLog log) {
        this.graph = graph;
        this.present = present;
        this.log = log;
        wantedPartitions = request.options().partitionCount();
        wanted = present;
        GraphSize size = new GraphSize(GraphPart.allVertices(graph), graph.edgeCount());
        caps = VertexCaps.of(request.options(), size);
        int partitions = Math.max(wantedPartitions, request.partitionsBefore());
        now = VertexPlacement.of(graph, partitions, request.options().training());
        for (int v = 0; v < present.length; v++) {
            now.put(v, graph.degree(v), present[v]);
        }
        now.limit(caps.vertices(), caps.volume());
        now.exchange();
        edgesTo = new int[partitions];
        left = request.budget() == 1 ? Long.MAX_VALUE : (long) (request.budget() * graph.edgeCount());
    }

    /**
     * Returns the owners of the vertices of a part, of which only some of its own have one so far: the others of those
     * get the one of a neighbour, if one has one, and copies that of their part.
     *
     * @param known owners; {@link VertexPlacement#NOWHERE} for none
     */
    static int[] ofAll(GraphPart part, int[] known) {
        part.share(known);
        int[] owners = known.clone();
        try (VertexPass vertices = part.vertices()) {
            while (vertices.next()) {
                int v = vertices.vertex();
                for (int i = vertices.from(); i < vertices.to() && owners[v] < 0; i++) {
                    owners[v] = known[vertices.neighbours()[i]];
                }
                owners[v] = Math.max(0, owners[v]);
            }
        }
        part.share(owners);
        return owners;
    }

    /** The owner of each vertex, from the owners of the ends of the edges. */
    static int[] owners(BoundedGraph graph, EdgePlaces ofSources, EdgePlaces ofTargets) {
        int[] owners = new int[graph.vertexCount()];
        try (EdgePass edges = graph.edges();
                EdgePlaces.Pass ofSource = ofSources.pass();
                EdgePlaces.Pass ofTarget = ofTargets.pass()) {
            while (edges.next()) {
                owners[edges.source()] = ofSource.next();
                owners[edges.target()] = ofTarget.next();
            }
        }
        return owners;
    }

    /** @param owners of the vertices now */
    static RepartitionPlan plan(RepartitionRequest request, BoundedGraph graph, int[] owners, MoveLog log)
            throws IOException {
        return new VertexRepartition(request, graph, owners, log).plan(request);
    }

    private RepartitionPlan plan(RepartitionRequest request) throws IOException {
        Quality before = Quality.of(graph, present, request.partitionsBefore());
        int[] gathered = CutwaterVertexPartitioner.near(graph, request.options(), present, false)
                .partitions();
        int[] kept = CutwaterVertexPartitioner.near(graph, request.options(), present, true)
                .partitions();
        double costOfGathered = cost(gathered);
        double costOfKept = cost(kept);
        wanted = costOfGathered < costOfKept ? gathered : kept;
        if (isWithinCaps() && before.copies() <= Math.min(costOfGathered, costOfKept)) {
            wanted = present;
        }
        if (ends(wanted) <= left) {
            moveAll(false, false, LEAST_GAINS);
            moveAll(false, false, Double.NEGATIVE_INFINITY);
        } else {
            moveAll(true, false, LEAST_GAINS_OF_URGENT);
            moveAll(false, true, LEAST_GAINS);
            moveAll(false, false, LEAST_GAINS);
        }
        int[] owners = now.partitions();
        int partitions = isEmptyBeyond() ? wantedPartitions : now.partitionCount();
        return new RepartitionPlan(
                graph.edgeCount(),
                moved,
                GraphPart.sum(graph, log.moves()),
                before,
                Quality.of(graph, owners, partitions));
    }

    private double cost(int[] owners) {
        return Quality.of(graph, owners, wantedPartitions).copies() + MOVE_PRICE * ends(owners);
    }

    /** Edges of the vertices that other owners make move. */
    private long ends(int[] owners) {
        long ends = 0;
        for (int v = 0; v < owners.length; v++) {
            ends += owners[v] == present[v] || !GraphPart.isOwn(graph, v) ? 0 : graph.degree(v);
        }
        return GraphPart.sum(graph, ends);
    }

    private boolean isWithinCaps() {
        boolean isWithin = isEmptyBeyond();
        for (int p = 0; p < wantedPartitions; p++) {
            isWithin &= now.vertices(p) <= caps.vertices() && now.volume(p) <= caps.volume();
        }
        return isWithin;
    }

    private boolean isEmptyBeyond() {
        boolean isEmpty = true;
        for (int p = wantedPartitions; p < now.partitionCount(); p++) {
            isEmpty &= now.vertices(p) == 0;
        }
        return isEmpty;
    }

    /**
     * Passes over the vertices that did not move yet.
     *
     * @param isUrgent whether only those move that must
     * @param isFree whether they may go anywhere, not only to where they are wanted
     */
    private void moveAll(boolean isUrgent, boolean isFree, double... leastGains) throws IOException {
        for (double least : leastGains) {
            spent = 0;
            maySpend = GraphPart.share(graph, left);
            try (VertexPass vertices = GraphPart.vertices(graph, now::exchange)) {
                while (spent < maySpend && vertices.next()) {
                    int v = vertices.vertex();
                    int from = present[v];
                    boolean mustGo = from >= wantedPartitions || now.isOverfull(from);
                    if (now.partition(v) == from && (mustGo || !isUrgent) && (isFree || wanted[v] != from)) {
                        move(vertices, isFree, least);
                    }
                }
            }
            long cost = GraphPart.sum(graph, spent);
            moved += cost;
            left -= cost;
        }
    }

    private void move(VertexPass vertices, boolean isFree, double least) throws IOException {
        int v = vertices.vertex();
        int from = present[v];
        int degree = vertices.to() - vertices.from();
        int loops = count(vertices);
        int to = isFree ? best(vertices, degree) : wanted[v];
        double gain = edgesTo[to] - edgesTo[from];
        forget(vertices);
        long cost = degree - loops / 2;
        boolean isForced = least == Double.NEGATIVE_INFINITY;
        if (to != from && cost <= maySpend - spent && gain >= least * cost && (isForced || hasRoom(v, to, degree))) {
            now.put(v, degree, to);
            spent += cost;
            log.add(graph.vertex(v), graph.vertex(v), from, to);
        }
    }

    /** Counts the edges to each partition; the ends of self-loops. */
    private int count(VertexPass vertices) {
        int loops = 0;
        for (int i = vertices.from(); i < vertices.to(); i++) {
            int neighbour = vertices.neighbours()[i];
            if (neighbour == vertices.vertex()) {
                loops++;
            } else {
                edgesTo[now.partition(neighbour)]++;
            }
        }
        return loops;
    }

    private void forget(VertexPass vertices) {
        for (int i = vertices.from(); i < vertices.to(); i++) {
            edgesTo[now.partition(vertices.neighbours()[i])] = 0;
        }
    }

    private int best(VertexPass vertices, int degree) {
        int best = present[vertices.vertex()];
        for (int i = vertices.from(); i < vertices.to(); i++) {
            int p = now.partition(vertices.neighbours()[i]);
            if ((edgesTo[p] > edgesTo[best] || edgesTo[p] == edgesTo[best] && p < best)
                    && p < wantedPartitions
                    && hasRoom(vertices.vertex(), p, degree)) {
                best = p;
            }
        }
        return best;
    }

    private boolean hasRoom(int vertex, int partition, int degree) {
        return now.hasRoom(partition, degree) && now.hasTrainingRoom(vertex, partition);
    }
}
