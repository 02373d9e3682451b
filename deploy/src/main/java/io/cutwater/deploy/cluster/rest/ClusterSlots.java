package io.cutwater.deploy.cluster.rest;

/**
 * Task slots of a Flink cluster.
 *
 * @param taskManagers number of registered TaskManagers
 * @param total slots of all of them
 * @param free slots that no job holds
 * @param runningJobs number of jobs that are not waiting and have not ended
 * @param isGrowing whether the cluster starts TaskManagers on demand, as on Kubernetes and YARN
 */
public record ClusterSlots(int taskManagers, int total, int free, int runningJobs, boolean isGrowing) {
    /** Returns whether a job that is submitted now gets its slots, as far as the cluster can tell. */
    public boolean suffice(int needed) {
        return isGrowing || free >= needed;
    }

    /**
     * Returns whether the missing slots are held for jobs that the cluster no longer has, as after the loss of a
     * JobManager. TaskManagers free them after their timeouts.
     */
    public boolean willSuffice(int needed) {
        return runningJobs == 0 && total >= needed;
    }
}
