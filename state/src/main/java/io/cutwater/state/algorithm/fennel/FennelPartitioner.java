package io.cutwater.state.algorithm.fennel;

import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.Settings;
import io.cutwater.state.rule.NeighbourCounts;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.rule.VertexPlacement;

/**
 * Fennel (Tsourakakis, Gkantsidis, Radunovic, Vojnovic: FENNEL: Streaming graph partitioning for massive scale graphs,
 * WSDM 2014): of the partitions with less than ν · n / k vertices, rounded up, the p with the largest
 *
 * <pre>
 *   e(v, p) − α · γ · |V_p|^(γ − 1),   α = m · k^(γ − 1) / n^γ
 * </pre>
 *
 * Ties go to the partition with the fewest vertices, the lowest of them. Of the partitions without a neighbour only the
 * least loaded can win. If training vertices are to be spread, one goes where there is room for it, unless only full
 * partitions have that.
 */
public final class FennelPartitioner implements VertexPartitioner {
    public static final NumericSetting GAMMA = Settings.GAMMA;

    /** ν, how much more than the average a partition may hold. */
    public static final NumericSetting SLACK = Settings.SLACK;

    private final GraphSize size;
    private final double gamma;
    private final double slack;
    private final NeighbourCounts counts;

    public FennelPartitioner(PartitionerOptions options, GraphSize size) {
        this.size = size;
        gamma = GAMMA.of(options);
        slack = SLACK.of(options);
        counts = new NeighbourCounts(options.partitionCount());
    }

    @Override
    public int place(int vertex, int[] neighbours, int from, int to, VertexPlacement placement) {
        int k = placement.partitionCount();
        double n = size.vertices();
        double m = size.edges();
        double capacity = Math.ceil(slack * n / k);
        double factor = m * Math.pow(k, gamma - 1) / Math.pow(n, gamma) * gamma;
        counts.count(vertex, neighbours, from, to, placement);
        int best = placement.leastLoadedFor(vertex, capacity);
        double bestScore = score(best, factor, placement);
        for (int i = 0; i < counts.size(); i++) {
            int p = counts.partition(i);
            if (placement.vertices(p) < capacity && placement.hasTrainingRoom(vertex, p)) {
                double score = score(p, factor, placement);
                if (score > bestScore || score == bestScore && placement.isLess(p, best)) {
                    best = p;
                    bestScore = score;
                }
            }
        }
        return best;
    }

    private double score(int partition, double factor, VertexPlacement placement) {
        return counts.of(partition) - factor * Math.pow(placement.vertices(partition), gamma - 1);
    }
}
