package io.cutwater.flink.repartition;

import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.DriftRule;
import io.cutwater.state.repartition.RepartitionPlan;

/**
 * How things stood when a job looked last for a better plan, as {@link DriftRule#looks} asks for it.
 *
 * @param edges at that time, 0 if it has never looked
 * @param declined looks in a row that were not carried out
 * @param promised copies per vertex that the last plan that was carried out promised, infinite if there was none
 */
public record Look(long edges, int declined, double promised) {
    static final Look NEVER = new Look(0, 0, Double.POSITIVE_INFINITY);

    private static final DriftRule RULE = DriftRule.USUAL;

    /** Of fewer it makes no plan. */
    private static final long FEWEST_EDGES = 1_000;

    /** Whether it is time to look again. */
    boolean isOver(Quality now) {
        return now.edges() >= FEWEST_EDGES && RULE.looks(now.edges(), edges, declined, now, promised);
    }

    static boolean isWorthIt(RepartitionPlan plan) {
        return RULE.moves(plan);
    }

    /** The next one, of now. */
    Look at(Quality now) {
        return new Look(now.edges(), declined, promised);
    }

    Look declines() {
        return new Look(edges, declined + 1, promised);
    }

    Look carriesOut(RepartitionPlan plan) {
        return new Look(edges, 0, DriftRule.copies(plan.expected()));
    }
}
