package io.cutwater.state.placement;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.table.VertexTable;
import java.util.function.IntConsumer;

/**
 * The loop over the edges of a batch, for both kinds of partitioning. It brings the records of the endpoints close
 * before each edge is handled; {@link EdgeAssigner} has it inlined for its fastest path.
 */
public final class BatchLoop {
    private BatchLoop() {}

    /**
     * Handles the edges of a batch in order.
     *
     * @param step receives the number of each edge
     */
    public static void forEach(VertexTable vertices, EdgeBatch batch, IntConsumer step) {
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        int size = batch.size();
        vertices.expect(sources, targets, size);
        for (int from = 0; from < size; from += VertexTable.PREFETCH_EDGES) {
            int to = Math.min(size, from + VertexTable.PREFETCH_EDGES);
            vertices.prefetch(sources, targets, from, to);
            for (int i = from; i < to; i++) {
                step.accept(i);
            }
        }
    }
}
