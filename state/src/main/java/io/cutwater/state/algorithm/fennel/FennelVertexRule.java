package io.cutwater.state.algorithm.fennel;

import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.Settings;
import io.cutwater.state.rule.NeighbourCounts;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.rule.VertexRule;

/**
 * The rule of {@link FennelPartitioner} on a stream of edges: of the partitions below {@link OwnerLoads#capacity} the p
 * with the largest e(v, p) − α · γ · |V_p|^(γ − 1), α = m · k^(γ − 1) / n^γ. n are the vertices that have an owner and
 * the present one, m the edges between them and those that are known at the present one. Ties go to the partition with
 * the fewest vertices, the lowest of them.
 */
public final class FennelVertexRule implements VertexRule {
    public static final NumericSetting WINDOW = Settings.WINDOW.withDefault(50_000);

    private final int windowSize;
    private final double slack;
    private final FennelPrice price;

    public FennelVertexRule(PartitionerOptions options) {
        windowSize = (int) WINDOW.wholeOf(options);
        slack = FennelPartitioner.SLACK.of(options);
        price = new FennelPrice(FennelPartitioner.GAMMA.of(options));
    }

    @Override
    public int windowSize() {
        return windowSize;
    }

    @Override
    public int owner(long vertex, int degree, NeighbourCounts counts, OwnerLoads loads) {
        double capacity = loads.capacity(slack);
        price.prepare(degree, loads);
        int best = loads.leastOwned();
        double bestScore = counts.of(best) - price.of(best, loads);
        for (int i = 0; i < counts.size(); i++) {
            int p = counts.partition(i);
            if (loads.owned(p) < capacity) {
                double score = counts.of(p) - price.of(p, loads);
                if (score > bestScore || score == bestScore && loads.isLess(p, best)) {
                    best = p;
                    bestScore = score;
                }
            }
        }
        return best;
    }
}
