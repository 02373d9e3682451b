package io.cutwater.deploy.faults;

/**
 * One fault of a run.
 *
 * @param target the process, or the process whose connections are cut; empty where there is nothing to choose
 * @param amount seconds of a fault that has a duration, partitions of a re-partitioning, percent of a truncated or
 *     deleted log, seconds of a clock's step; else 0
 */
record Fault(FaultKind kind, String target, Trigger trigger, int amount) {
    @Override
    public String toString() {
        return kind.label()
                + (target.isEmpty() ? "" : " " + target)
                + (amount == 0 ? "" : " " + amount)
                + " "
                + trigger;
    }
}
