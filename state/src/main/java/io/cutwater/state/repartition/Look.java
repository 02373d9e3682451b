package io.cutwater.state.repartition;

/**
 * How things stood when a better plan was looked for last, as {@link DriftRule#looks} asks for it.
 *
 * @param edges at that time, 0 if there was no such time
 * @param declined looks in a row that were not carried out
 * @param promised copies per vertex that the last plan that was carried out promised ({@link DriftRule#copies}),
 *     infinite if there was none
 */
public record Look(long edges, int declined, double promised) {
    /** Nobody has looked yet. */
    public static final Look NEVER = new Look(0, 0, Double.POSITIVE_INFINITY);

    /** The next one, at so many edges. */
    public Look at(long edgesNow) {
        return new Look(edgesNow, declined, promised);
    }

    /** Its plan is not carried out. */
    public Look declines() {
        return new Look(edges, declined + 1, promised);
    }

    /** A plan is carried out. */
    public Look carriesOut(RepartitionPlan plan) {
        return new Look(edges, 0, DriftRule.copies(plan.expected()));
    }
}
