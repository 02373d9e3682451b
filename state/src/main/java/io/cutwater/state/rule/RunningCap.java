package io.cutwater.state.rule;

/**
 * The most edges of a partition while nobody knows how many will come: max((1 + imbalance) · placed / k + 24, 150). An
 * edge goes to a partition below it only. The least loaded partition always is; and every partition has room for 150
 * edges from the start, because many communities begin in the first edges, and a tight cap tears them apart.
 */
public final class RunningCap {
    private static final int SLACK = 24;
    private static final int FLOOR = 150;

    private RunningCap() {}

    /** @param average edges placed so far, divided by k */
    public static double of(double average, double imbalance) {
        return Math.max((1 + imbalance) * average + SLACK, FLOOR);
    }
}
