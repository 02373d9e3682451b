package io.cutwater.deploy.cluster;

/** The outcome of stopping a process. */
public enum ProcessEnd {
    STOPPED,
    KILLED,
    WAS_NOT_RUNNING
}
