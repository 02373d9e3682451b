package io.cutwater.state.repartition;

/**
 * The last check whether a better plan exists, and how it ended; {@link DriftRule#isDue} decides from it when the next
 * check is due.
 *
 * @param edges at that time, 0 before the first check
 * @param declined checks in a row whose plan was not carried out
 * @param promised copies per vertex that the last plan that was carried out promised ({@link DriftRule#copies}),
 *     infinite if there was none
 */
public record DriftCheck(long edges, int declined, double promised) {
    /** No check has been made yet. */
    public static final DriftCheck NEVER = new DriftCheck(0, 0, Double.POSITIVE_INFINITY);

    /** The next one, at so many edges. */
    public DriftCheck at(long edgesNow) {
        return new DriftCheck(edgesNow, declined, promised);
    }

    /** Its plan is not carried out. */
    public DriftCheck declines() {
        return new DriftCheck(edges, declined + 1, promised);
    }

    /** A plan is carried out. */
    public DriftCheck carriesOut(RepartitionPlan plan) {
        return new DriftCheck(edges, 0, plan.expected().replicationFactor());
    }
}
