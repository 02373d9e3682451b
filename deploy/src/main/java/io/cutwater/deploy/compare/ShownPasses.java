package io.cutwater.deploy.compare;

import io.cutwater.deploy.view.Progress;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.rule.VertexPlacement;

/** A vertex partitioner that reports its passes; their number is not known beforehand. */
final class ShownPasses implements VertexPartitioner {
    private static final int VERTICES = 4096; // between two updates, a power of two

    private final VertexPartitioner partitioner;
    private final AdjacencyGraph graph;
    private final Progress progress;
    private int passes;

    ShownPasses(VertexPartitioner partitioner, AdjacencyGraph graph, Progress progress) {
        this.partitioner = partitioner;
        this.graph = graph;
        this.progress = progress;
    }

    @Override
    public Pass pass(int number, VertexPlacement placement) {
        passes = number;
        return partitioner.pass(number, placement);
    }

    @Override
    public void observeEdge(int source, int target) {
        partitioner.observeEdge(source, target);
    }

    @Override
    public void observe(int vertex, int[] neighbours, int from, int to) {
        show(vertex, to);
        partitioner.observe(vertex, neighbours, from, to);
    }

    @Override
    public int place(int vertex, int[] neighbours, int from, int to, VertexPlacement placement) {
        show(vertex, to);
        return partitioner.place(vertex, neighbours, from, to, placement);
    }

    private void show(int vertex, int ends) {
        if ((vertex & VERTICES - 1) == 0) {
            progress.update((long) passes * graph.edgeCount() + ends / 2, Double.NaN, "pass " + (passes + 1));
        }
    }
}
