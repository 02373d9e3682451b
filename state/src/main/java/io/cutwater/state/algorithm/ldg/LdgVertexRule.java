package io.cutwater.state.algorithm.ldg;

import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.Settings;
import io.cutwater.state.rule.NeighbourCounts;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.rule.VertexRule;

/**
 * The rule of {@link LdgPartitioner} on a stream of edges: the partition with the largest e(v, p) · (1 − |V_p| / C), C
 * being {@link OwnerLoads#capacity}. Ties go to the partition with the fewest vertices, the lowest of them.
 */
public final class LdgVertexRule implements VertexRule {
    public static final NumericSetting WINDOW = Settings.WINDOW.withDefault(50_000);
    public static final NumericSetting SLACK = Settings.SLACK.withDefault(1.05);

    private final int windowSize;
    private final double slack;

    public LdgVertexRule(PartitionerOptions options) {
        windowSize = (int) WINDOW.wholeOf(options);
        slack = SLACK.of(options);
    }

    @Override
    public int windowSize() {
        return windowSize;
    }

    @Override
    public int owner(long vertex, int degree, NeighbourCounts counts, OwnerLoads loads) {
        double capacity = loads.capacity(slack);
        int best = loads.leastOwned();
        double bestScore = counts.of(best) * (1 - loads.owned(best) / capacity);
        for (int i = 0; i < counts.size(); i++) {
            int p = counts.partition(i);
            if (loads.owned(p) < capacity) {
                double score = counts.of(p) * (1 - loads.owned(p) / capacity);
                if (score > bestScore || score == bestScore && loads.isLess(p, best)) {
                    best = p;
                    bestScore = score;
                }
            }
        }
        return best;
    }
}
