package io.cutwater.state.repartition;

import io.cutwater.state.bulk.BulkEdgePlacement;
import io.cutwater.state.bulk.EdgeCounts;
import io.cutwater.state.disk.EdgePlaces;
import io.cutwater.state.disk.PlacesFile;
import io.cutwater.state.disk.ScratchFolder;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.quality.EdgeQuality;
import io.cutwater.state.table.PartitionLoads;
import java.io.IOException;
import java.util.Arrays;

/**
 * Which edges move: towards the placement that {@link BulkEdgePlacement} finds from the present one, those first that
 * free most replicas for each edge that moves.
 */
final class EdgeRepartition {
    /** Of an edge; a partition that goes, or one above its cap, is emptied before anything else is done. */
    private static final double URGENT = 4;

    private static final double[] LEAST_SCORES = {.9, .6, .4, .3, .2, .12, .06, .03, 0, Double.NEGATIVE_INFINITY};

    private final RepartitionRequest request;
    private final BoundedGraph graph;
    private final EdgePlaces now;
    private final EdgePlaces wanted;
    private final MoveLog log;
    private final EdgeCounts counts;
    private final EdgeCounts wantedCounts;
    private final long[] edges;
    private final long[] replicas;
    private final long maxEdges;
    private long left;

    private EdgeRepartition(
            RepartitionRequest request, BoundedGraph graph, EdgePlaces now, EdgePlaces wanted, MoveLog log) {
        this.request = request;
        this.graph = graph;
        this.now = now;
        this.wanted = wanted;
        this.log = log;
        counts = new EdgeCounts(graph.vertexCount());
        wantedCounts = new EdgeCounts(graph.vertexCount());
        PartitionLoads loads = new PartitionLoads(
                Math.max(request.partitionsBefore(), request.options().partitionCount()));
        PartitionLoads wantedLoads = new PartitionLoads(request.options().partitionCount());
        count(now, counts, loads);
        count(wanted, wantedCounts, wantedLoads);
        edges = loads.edges();
        replicas = loads.vertices();
        maxEdges = wantedLoads.maxEdges();
        left = (long) (request.budget() * graph.edgeCount());
    }

    /** @param present the partition of each edge; afterwards of those that move the one where they go */
    static RepartitionPlan plan(
            RepartitionRequest request, BoundedGraph graph, EdgePlaces present, ScratchFolder files, MoveLog log)
            throws IOException {
        try (PlacesFile wanted = new PlacesFile(files, "wanted")) {
            BulkEdgePlacement.replace(graph, request.options(), present, request.partitionsBefore(), wanted);
            return new EdgeRepartition(request, graph, present, wanted, log).plan();
        }
    }

    private void count(EdgePlaces places, EdgeCounts into, PartitionLoads loads) {
        try (EdgePass pass = graph.edges();
                EdgePlaces.Pass place = places.pass()) {
            while (pass.next()) {
                into.add(pass, place.next(), loads);
            }
        }
    }

    private RepartitionPlan plan() throws IOException {
        EdgeQuality before = quality(request.partitionsBefore());
        for (double least : LEAST_SCORES) {
            pass(least);
        }
        int wantedPartitions = request.options().partitionCount();
        boolean isDone = Arrays.stream(edges).skip(wantedPartitions).allMatch(load -> load == 0);
        EdgeQuality expected = quality(isDone ? wantedPartitions : edges.length);
        return new RepartitionPlan(graph.edgeCount(), log.moves(), log.moves(), before, expected);
    }

    private EdgeQuality quality(int partitions) {
        return EdgeQuality.of(
                new PartitionLoads(
                        Arrays.copyOf(edges, partitions), Arrays.copyOf(replicas, partitions), graph.vertexCount()),
                0);
    }

    private void pass(double least) throws IOException {
        try (EdgePass pass = graph.edges();
                EdgePlaces.Pass present = now.pass();
                EdgePlaces.Pass other = wanted.pass()) {
            while (left > 0 && pass.next()) {
                int from = present.next();
                int to = other.next();
                if (from != to
                        && (edges[to] < maxEdges || least == Double.NEGATIVE_INFINITY)
                        && score(pass.source(), pass.target(), from, to) >= least) {
                    present.set(to);
                    move(pass.source(), pass.target(), from, to);
                    log.add(graph.vertex(pass.source()), graph.vertex(pass.target()), from, to);
                    left--;
                }
            }
        }
    }

    private void move(int source, int target, int from, int to) {
        edges[from]--;
        edges[to]++;
        moveEnd(source, from, to);
        moveEnd(target, from, to);
    }

    private void moveEnd(int vertex, int from, int to) {
        replicas[from] -= counts.remove(vertex, from) ? 1 : 0;
        replicas[to] += counts.add(vertex, to) ? 1 : 0;
    }

    private double score(int source, int target, int from, int to) {
        double urgency = from >= request.options().partitionCount() || edges[from] > maxEdges ? URGENT : 0;
        return urgency + score(source, from, to) + score(target, from, to);
    }

    /** An edge's share in the replica of an end that goes, less its share in the one that comes. */
    private double score(int vertex, int from, int to) {
        double freed = wantedCounts.count(vertex, from) == 0 ? 1.0 / counts.count(vertex, from) : 0;
        double made = counts.count(vertex, to) == 0 ? 1.0 / wantedCounts.count(vertex, to) : 0;
        return freed - made;
    }
}
