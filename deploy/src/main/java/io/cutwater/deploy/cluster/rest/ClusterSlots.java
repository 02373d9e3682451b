package io.cutwater.deploy.cluster.rest;

/**
 * Task slots of a Flink cluster.
 *
 * @param taskManagers number of registered TaskManagers
 * @param total slots of all of them
 * @param free slots that no job holds
 * @param isGrowing whether the cluster starts TaskManagers on demand, as on Kubernetes and YARN
 */
public record ClusterSlots(int taskManagers, int total, int free, boolean isGrowing) {
    /** Returns whether a job that is submitted now gets its slots, as far as the cluster can tell. */
    public boolean suffice(int needed) {
        return isGrowing || free >= needed;
    }
}
