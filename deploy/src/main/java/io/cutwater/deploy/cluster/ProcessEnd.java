package io.cutwater.deploy.cluster;

/** How a process came to its end. */
public enum ProcessEnd {
    STOPPED,
    KILLED,
    WAS_NOT_RUNNING
}
