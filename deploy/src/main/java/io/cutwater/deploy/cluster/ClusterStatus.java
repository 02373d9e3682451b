package io.cutwater.deploy.cluster;

import java.util.List;

/**
 * Status of a local cluster.
 *
 * @param processes in the order in which they are started
 */
public record ClusterStatus(ClusterSettings settings, List<ProcessStatus> processes) {
    /**
     * Status of one process.
     *
     * @param pid 0 if it does not run
     * @param isHealthy whether it works: the broker and the JobManager answer, the TaskManager is registered
     * @param detail what is wrong, or what it does
     */
    public record ProcessStatus(String name, long pid, boolean isHealthy, String detail) {}

    public boolean isHealthy() {
        return processes.stream().allMatch(ProcessStatus::isHealthy);
    }

    public boolean isRunning() {
        return processes.stream().anyMatch(process -> process.pid() != 0);
    }
}
