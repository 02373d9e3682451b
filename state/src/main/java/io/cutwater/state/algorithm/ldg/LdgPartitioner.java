package io.cutwater.state.algorithm.ldg;

import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.rule.NeighbourCounts;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.rule.VertexPlacement;

/**
 * Linear deterministic greedy (Stanton, Kliot: Streaming graph partitioning for large distributed graphs, KDD 2012):
 * the partition p with the largest
 *
 * <pre>
 *   e(v, p) · (1 − |V_p| / C),   C = ⌈n / k⌉
 * </pre>
 *
 * e(v, p) being the edges from v to vertices on p. Ties go to the partition with the fewest vertices, the lowest of
 * them. No partition gets more than C vertices.
 *
 * <p>A partition without a neighbour scores 0, so that of these only the least loaded counts; and a full one scores 0
 * too, while the least loaded of all is never full. If training vertices are to be spread, one goes where there is room
 * for it, unless only full partitions have that.
 */
public final class LdgPartitioner implements VertexPartitioner {
    private final GraphSize size;
    private final NeighbourCounts counts;

    public LdgPartitioner(int partitionCount, GraphSize size) {
        this.size = size;
        counts = new NeighbourCounts(partitionCount);
    }

    @Override
    public int place(int vertex, int[] neighbours, int from, int to, VertexPlacement placement) {
        int k = placement.partitionCount();
        double capacity = Math.ceil((double) size.vertices() / k);
        counts.count(vertex, neighbours, from, to, placement);
        int best = placement.leastLoadedFor(vertex, capacity);
        double bestScore = counts.of(best) * (1 - placement.vertices(best) / capacity);
        for (int i = 0; i < counts.size(); i++) {
            int p = counts.partition(i);
            double score = counts.of(p) * (1 - placement.vertices(p) / capacity);
            if ((score > bestScore || score == bestScore && placement.isLess(p, best))
                    && placement.hasTrainingRoom(vertex, p)) {
                best = p;
                bestScore = score;
            }
        }
        return best;
    }
}
