package io.cutwater.deploy.cluster.rest;

/**
 * Tells whether a live job makes progress.
 *
 * @param reason why it does not, without the job's name; empty for {@link Kind#RUNS}, {@link Kind#STARTS} and
 *     {@link Kind#ENDED}
 * @param restarts number of failures after which it was restarted, as far as the cluster remembers; attempts that only
 *     waited for slots are not counted
 * @param isAtLeast whether there may have been more restarts, which the cluster has forgotten
 */
public record JobProgress(Kind kind, String reason, long restarts, boolean isAtLeast) {
    /** The condition of a job. */
    public enum Kind {
        /** All tasks run, and checkpoints complete. */
        RUNS,
        /** The tasks are being started, and none has failed. */
        STARTS,
        /** There are fewer slots than tasks. */
        WAITS_FOR_SLOTS,
        /** No checkpoint has completed since the last failure. */
        RESTARTS,
        /** All tasks run, and no checkpoint completes. */
        STALLS,
        /** It has failed for good. */
        FAILED,
        /** It was stopped or cancelled. */
        ENDED;

        /** Returns whether somebody should look at the job. */
        public boolean isStuck() {
            return this == WAITS_FOR_SLOTS || this == RESTARTS || this == STALLS || this == FAILED;
        }
    }

    /** Returns this progress with another reason. */
    public JobProgress withReason(String other) {
        return new JobProgress(kind, other, restarts, isAtLeast);
    }
}
