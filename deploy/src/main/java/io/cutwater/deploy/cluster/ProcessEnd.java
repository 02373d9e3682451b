package io.cutwater.deploy.cluster;

/** How a process ended. */
public enum ProcessEnd {
    STOPPED,
    KILLED,
    WAS_NOT_RUNNING
}
