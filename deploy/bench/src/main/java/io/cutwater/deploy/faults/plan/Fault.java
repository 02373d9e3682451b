package io.cutwater.deploy.faults.plan;

/**
 * One fault of a run.
 *
 * @param target the process, or the process whose connections are cut; empty where there is nothing to choose
 * @param amount seconds of a fault that has a duration, partitions of a re-partitioning, percent of a truncated or
 *     deleted log, seconds of a clock's step; else 0
 */
public record Fault(FaultKind kind, String target, Trigger trigger, int amount) {
    /** Target: the process that coordinates the training. */
    public static final String COORDINATOR = "coordinator";

    /** Target: the process that trains. */
    public static final String WORKER = "worker";

    @Override
    public String toString() {
        return kind.label()
                + (target.isEmpty() ? "" : " " + target)
                + (amount == 0 ? "" : " " + amount)
                + " "
                + trigger;
    }
}
