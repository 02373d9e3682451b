package io.cutwater.deploy.faults.plan;

import java.util.Locale;

/** Kinds of faults and operations in a run. */
public enum FaultKind {
    /** Ends a process with SIGKILL; the supervisor starts it again. */
    KILL(false),
    /** Stops a process with SIGSTOP for some seconds. */
    PAUSE(false),
    /** Ends the broker with SIGTERM; the supervisor starts it again. */
    BROKER_RESTART(false),
    /** Stops the job with a savepoint and resumes it, with other tasks where the job allows it. */
    RESCALE(false),
    /** Re-partitions the running job; later faults happen while it is in progress. */
    REPARTITION(false),
    /** Closes the connections between one process and the broker and refuses new ones, for some seconds. */
    CUT(false),
    /** Blocks the bytes between one process and the broker for some seconds. */
    STALL(false),
    /** Kills the broker and cuts the end of a log of topic edges. */
    TRUNCATE(true),
    /** Stops the job, deletes records of topic edges that it has not read, and resumes it. */
    DELETE_RECORDS(true),
    /** Makes the folder of checkpoints unusable for some seconds. */
    NO_CHECKPOINTS(false),
    /** Fills the disk that holds the checkpoints for some seconds. */
    FULL_DISK(false),
    /** Fills the disk that holds the broker's log, which ends the broker, and frees it again. */
    FULL_BROKER_DISK(false),
    /** Sets the clock of all processes forward or back by some seconds. */
    CLOCK(false);

    private final boolean destroysData;

    FaultKind(boolean destroysData) {
        this.destroysData = destroysData;
    }

    /** Returns whether it loses edges for good, so that a job may stop only with an error that names the loss. */
    boolean destroysData() {
        return destroysData;
    }

    /** Returns whether the fault needs a cluster with disks of its own. */
    public boolean needsDisks() {
        return this == NO_CHECKPOINTS || this == FULL_DISK || this == FULL_BROKER_DISK;
    }

    /** Returns the name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
