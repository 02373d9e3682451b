package io.cutwater.state.placement;

import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;

/** HDRF without the shortcut: every partition is scored. What the shortcut is measured against. */
final class AllPartitionsHdrf implements EdgePartitioner {
    private static final double LAMBDA = 1.1;

    @Override
    public int place(VertexColumns vertices, int source, int target, PartitionLoads loads) {
        double sourceDegree = vertices.degree(source);
        double targetDegree = vertices.degree(target);
        double sourceGain = 2 - sourceDegree / (sourceDegree + targetDegree);
        double targetGain = 2 - targetDegree / (sourceDegree + targetDegree);
        long max = loads.maxEdges();
        double balance = LAMBDA / (1 + (max - loads.minEdges()));
        int best = 0;
        double bestScore = -1;
        for (int partition = 0; partition < loads.partitionCount(); partition++) {
            double score = (vertices.hasReplica(source, partition) ? sourceGain : 0)
                    + (vertices.hasReplica(target, partition) ? targetGain : 0)
                    + balance * (max - loads.edges(partition));
            if (score > bestScore) {
                best = partition;
                bestScore = score;
            }
        }
        return best;
    }
}
