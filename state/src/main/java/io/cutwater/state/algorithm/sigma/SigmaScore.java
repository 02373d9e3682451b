package io.cutwater.state.algorithm.sigma;

import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;

/**
 * SIGMA's choice of a partition for an edge (u, v): of those that stay within the cap, the p with the largest
 *
 * <pre>
 *   g(u, p) + g(v, p) + λ · (½ · (max − edges(p)) / max + ½ · (maxR − replicas(p)) / maxR)
 *   g(x, p) = 2 − d(x) / (d(u) + d(v))   if p holds x, else 0
 * </pre>
 *
 * the lowest of them on ties; the least loaded partition, if none does.
 *
 * <p>Partitions that hold neither end are looked at only where one of them could win, that is if the best of the others
 * is not above all that balance can give. With λ up to 1 that is when no holder has room: a holder's gain is above 1.
 */
final class SigmaScore {
    private static final int NONE = -1;

    private final double lambda;

    public SigmaScore(double lambda) {
        this.lambda = lambda;
    }

    /**
     * @param edges edges per partition
     * @param replicas replicas per partition
     * @param cap edges that a partition may have with this one
     */
    int best(
            VertexColumns vertices,
            int source,
            int target,
            double sourceDegree,
            double targetDegree,
            PartitionLoads edges,
            PartitionLoads replicas,
            double cap) {
        double sourceGain = 2 - sourceDegree / (sourceDegree + targetDegree);
        double targetGain = 2 - targetDegree / (sourceDegree + targetDegree);
        long maxEdges = Math.max(1, edges.maxEdges());
        long maxReplicas = Math.max(1, replicas.maxVertices());
        double perEdge = lambda / 2 / maxEdges;
        double perReplica = lambda / 2 / maxReplicas;
        int best = NONE;
        double bestScore = -1;
        int words = vertices.replicaWords();
        for (int word = 0; word < words; word++) {
            long ofSource = vertices.replicaWord(source, word);
            long ofTarget = vertices.replicaWord(target, word);
            for (long bits = ofSource | ofTarget; bits != 0; bits &= bits - 1) {
                int bit = Long.numberOfTrailingZeros(bits);
                int partition = (word << 6) + bit;
                long load = edges.edges(partition);
                double gain =
                        ((ofSource >>> bit & 1) != 0 ? sourceGain : 0) + ((ofTarget >>> bit & 1) != 0 ? targetGain : 0);
                double score = gain
                        + (perEdge * (maxEdges - load) + perReplica * (maxReplicas - replicas.vertices(partition)));
                if (load + 1 <= cap && score > bestScore) {
                    best = partition;
                    bestScore = score;
                }
            }
        }
        double mostByBalance = perEdge * (maxEdges - edges.minEdges()) + perReplica * maxReplicas;
        if (bestScore > mostByBalance) {
            return best;
        }
        for (int partition = 0; partition < edges.partitionCount(); partition++) {
            long load = edges.edges(partition);
            double score = perEdge * (maxEdges - load) + perReplica * (maxReplicas - replicas.vertices(partition));
            // A holder, whose score is more than this, was looked at before.
            if (load + 1 <= cap && (score > bestScore || score == bestScore && partition < best)) {
                best = partition;
                bestScore = score;
            }
        }
        return best == NONE ? edges.leastLoaded() : best;
    }
}
