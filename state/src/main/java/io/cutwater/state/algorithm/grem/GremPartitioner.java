package io.cutwater.state.algorithm.grem;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.Settings;
import io.cutwater.state.plan.PlanRequest;
import io.cutwater.state.plan.QuotientGraphBuilder;
import io.cutwater.state.plan.QuotientPlanner;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.rule.VertexPlacement;

/**
 * GREM (Waleffe et al.: Armada: Memory-efficient distributed training of large-scale graph neural networks, 2025,
 * algorithms 1 and 2), k ways at once: edges come in chunks, and each vertex of a chunk is placed again.
 *
 * <p>The first chunk is partitioned in memory ({@link QuotientPlanner}). In every later one, a vertex's neighbours in
 * the chunk that have a place are counted for each partition; the mean of these counts and of those it had before, if
 * it was seen before, become its counts; and it goes to the partition with the largest count of those below
 * ⌈{@code slack} · n / k⌉ vertices, its own included; ties go to its own, then to the one with fewer vertices. A vertex
 * without counts goes to the least loaded. A chunk is in memory, so it has no more than 4 n edges and a million.
 * Vertices of a chunk are taken in the order in which its edges name them.
 */
public final class GremPartitioner implements VertexPartitioner {
    /** Share of the edges that is a chunk. */
    public static final NumericSetting CHUNK =
            new NumericSetting("chunk", "share of the edges that is a chunk", 0.1, 1e-9, 1);

    public static final NumericSetting SLACK = Settings.SLACK;

    private static final int LEAST_MAX_CHUNK = 1 << 20;

    private final int partitionCount;
    private final long seed;
    private final int chunkSize;
    private final double maxVertices;
    private final EdgeBatch chunk = new EdgeBatch();
    private final VertexPlacement places;
    private final MeanCounts counts;
    private boolean isSeeded;

    public GremPartitioner(PartitionerOptions options, GraphSize size) {
        int n = size.slots();
        partitionCount = options.partitionCount();
        seed = options.seed();
        long maxChunk = Math.min(1 << 28, LEAST_MAX_CHUNK + 4L * n);
        chunkSize = (int) Math.max(1, Math.min(maxChunk, Math.ceil(CHUNK.of(options) * size.edges())));
        maxVertices = Math.ceil(SLACK.of(options) * n / partitionCount);
        places = new VertexPlacement(partitionCount, n, vertex -> vertex);
        counts = new MeanCounts(n, partitionCount);
    }

    @Override
    public Pass pass(int number, VertexPlacement placement) {
        if (number == 1) {
            placeChunk();
        }
        return number == 0 ? Pass.EDGES : number == 1 ? Pass.PLACE : Pass.DONE;
    }

    @Override
    public void observeEdge(int source, int target) {
        chunk.add(source, target);
        if (chunk.size() == chunkSize) {
            placeChunk();
        }
    }

    private void placeChunk() {
        AdjacencyGraph graph = AdjacencyGraph.of(chunk);
        chunk.clear();
        int[] seedPlan = isSeeded ? null : plan(graph);
        isSeeded = true;
        for (int slot = 0; slot < graph.vertexCount(); slot++) {
            if (seedPlan != null) {
                places.put((int) graph.vertex(slot), 0, seedPlan[slot]);
            }
        }
        for (int slot = 0; slot < graph.vertexCount(); slot++) {
            int vertex = (int) graph.vertex(slot);
            counts.update(vertex, slot, graph, places);
            if (seedPlan == null) {
                places.put(vertex, 0, best(vertex));
            }
        }
    }

    private int[] plan(AdjacencyGraph graph) {
        QuotientGraphBuilder quotient = new QuotientGraphBuilder(graph.vertexCount());
        for (int slot = 0; slot < graph.vertexCount(); slot++) {
            quotient.addVertex(slot, graph.degree(slot));
        }
        for (int i = 0; i < graph.edgeCount(); i++) {
            quotient.addEdge(graph.source(i), graph.target(i));
        }
        long maxSize = (long) Math.ceil(maxVertices * graph.vertexCount() / Math.max(1, places.vertexCount()));
        return QuotientPlanner.plan(
                quotient.build(), new PlanRequest(partitionCount, maxSize, 2L * graph.edgeCount(), seed));
    }

    private int best(int vertex) {
        int own = places.partition(vertex);
        int best = own;
        float bestCount = own == VertexPlacement.NOWHERE ? 0 : counts.of(vertex, own);
        for (int i = 0; i < counts.size(vertex); i++) {
            int p = counts.partition(vertex, i);
            float count = counts.count(vertex, i);
            if (p != own && places.vertices(p) < maxVertices && count >= bestCount) {
                boolean isTie = count == bestCount;
                if (!isTie || best != own && places.isLess(p, best)) {
                    best = p;
                    bestCount = count;
                }
            }
        }
        return best == VertexPlacement.NOWHERE ? places.leastLoaded() : best;
    }

    @Override
    public int place(int vertex, int[] neighbours, int from, int to, VertexPlacement placement) {
        int place = places.partition(vertex);
        if (place == VertexPlacement.NOWHERE) { // no edge has named it
            place = places.leastLoaded();
            places.put(vertex, 0, place);
        }
        return place;
    }
}
