package io.cutwater.state.rule;

/**
 * The most vertices of a partition while nobody knows how many will come: max(⌈slack · n / k⌉, 64), n being the
 * vertices that have an owner, the next one counted. It never falls, and a vertex goes to a partition below it only; so
 * no partition ever has more. The least loaded partition is always below it. Every partition has room for 64 vertices
 * from the start, because many communities begin in the first edges, and a tight cap tears them apart.
 */
public final class RunningCapacity {
    public static final int FLOOR = 64;

    private RunningCapacity() {}

    public static double of(OwnerLoads loads, double slack) {
        double vertices = loads.totalOwned() + 1.0;
        return Math.max(Math.ceil(slack * vertices / loads.partitionCount()), FLOOR);
    }
}
