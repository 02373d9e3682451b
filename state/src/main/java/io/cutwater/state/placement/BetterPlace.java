package io.cutwater.state.placement;

import io.cutwater.state.passes.EdgePolish;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;

/**
 * Where a placed edge would save replicas, by the gains of {@link EdgePolish}: the c-th edge of a vertex on a partition
 * counts for c / (c + 1) − (c − 1) / c, so the last one that leaves a partition gains most, and one that joins many
 * others costs least.
 */
final class BetterPlace {
    /** What a move must gain. The last edge of a vertex on a partition counts 0.5. */
    static final double LEAST_GAIN = 0.1;

    private final EdgePartitioner rule;
    private final VertexTable vertices;

    BetterPlace(EdgePartitioner rule, VertexTable vertices) {
        this.rule = rule;
        this.vertices = vertices;
    }

    /**
     * Returns the partition that gains most for an edge and takes it, the lowest of these; {@code from} if there is
     * none that gains enough, or the edge is not on {@code from}.
     *
     * @param loads of the open partitions
     */
    int than(int from, int source, int target, PartitionLoads loads) {
        long ofSource = vertices.edgesAt(source, from);
        long ofTarget = vertices.edgesAt(target, from);
        if (ofSource == 0 || ofTarget == 0) {
            return from;
        }
        double leaving = EdgePolish.step(ofSource) + EdgePolish.step(ofTarget);
        double most = LEAST_GAIN;
        int best = from;
        for (int word = 0; word < vertices.replicaWords() && leaving > LEAST_GAIN; word++) {
            long either = vertices.replicaWord(source, word) | vertices.replicaWord(target, word);
            for (long bits = either; bits != 0; bits &= bits - 1) {
                int p = (word << 6) + Long.numberOfTrailingZeros(bits);
                double gain = leaving
                        - EdgePolish.step(vertices.edgesAt(source, p) + 1)
                        - EdgePolish.step(vertices.edgesAt(target, p) + 1);
                if (gain > most && p != from && rule.takesMoved(p, loads)) {
                    most = gain;
                    best = p;
                }
            }
        }
        return best;
    }
}
