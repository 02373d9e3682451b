package io.cutwater.state.repartition;

import io.cutwater.state.disk.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.graph.VertexPass;
import io.cutwater.state.quality.VertexQuality;
import io.cutwater.state.vertex.VertexAssigner;
import java.io.IOException;

/** Which vertices move: towards the owners that the vertex algorithm finds from the present ones. */
final class VertexRepartition {
    /** Least gain in edges that are not cut any more, as a share of the vertex's edges. */
    private static final double[] LEAST_SCORES = {.8, .6, .4, .2, .1, 0, Double.NEGATIVE_INFINITY};

    /** Of a vertex on a partition that goes. */
    private static final double URGENT = 4;

    private final RepartitionRequest request;
    private final BoundedGraph graph;
    private final int[] owners;
    private final int[] wanted;
    private final MoveLog log;
    private long moved;
    private long left;

    private VertexRepartition(RepartitionRequest request, BoundedGraph graph, int[] owners, int[] wanted, MoveLog log) {
        this.request = request;
        this.graph = graph;
        this.owners = owners;
        this.wanted = wanted;
        this.log = log;
        left = request.budget() == 1 ? Long.MAX_VALUE : (long) (request.budget() * graph.edgeCount());
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

    /** @param owners of the vertices now; afterwards those that they get */
    static RepartitionPlan plan(RepartitionRequest request, BoundedGraph graph, int[] owners, MoveLog log)
            throws IOException {
        int[] wanted = VertexAssigner.replace(graph, request.options(), owners).partitions();
        return new VertexRepartition(request, graph, owners, wanted, log).plan();
    }

    private RepartitionPlan plan() throws IOException {
        VertexQuality before = VertexQuality.of(graph, owners, request.partitionsBefore());
        for (double least : LEAST_SCORES) {
            pass(least);
        }
        int partitions = request.options().partitionCount();
        for (int owner : owners) {
            partitions = Math.max(partitions, owner < partitions ? 0 : request.partitionsBefore());
        }
        return new RepartitionPlan(
                graph.edgeCount(), moved, log.moves(), before, VertexQuality.of(graph, owners, partitions));
    }

    private void pass(double least) throws IOException {
        try (VertexPass vertices = graph.vertices()) {
            while (left > 0 && vertices.next()) {
                int v = vertices.vertex();
                if (owners[v] != wanted[v]) {
                    move(vertices, least);
                }
            }
        }
    }

    private void move(VertexPass vertices, double least) throws IOException {
        int v = vertices.vertex();
        int from = owners[v];
        int to = wanted[v];
        int loops = 0;
        long gain = 0;
        for (int i = vertices.from(); i < vertices.to(); i++) {
            int neighbour = vertices.neighbours()[i];
            if (neighbour == v) {
                loops++;
            } else {
                gain += owners[neighbour] == to ? 1 : owners[neighbour] == from ? -1 : 0;
            }
        }
        long cost = vertices.to() - vertices.from() - loops / 2;
        double urgency = from >= request.options().partitionCount() ? URGENT : 0;
        if (cost <= left && urgency + (double) gain / cost >= least) {
            owners[v] = to;
            moved += cost;
            left -= cost;
            log.add(graph.vertex(v), graph.vertex(v), from, to);
        }
    }
}
