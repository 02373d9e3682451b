package io.cutwater.deploy.cluster.job;

import io.cutwater.deploy.cluster.ClusterSettings;
import io.cutwater.deploy.cluster.rest.ClusterSlots;
import io.cutwater.deploy.cluster.rest.FlinkRest;
import io.cutwater.deploy.cluster.rest.JobProgress;
import io.cutwater.deploy.cluster.rest.LiveJob;
import io.cutwater.flink.client.FlinkAddress;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.state.text.Counted;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Checks whether live jobs make progress, and whether the cluster has the slots that a new one needs. */
final class JobHealth {
    /** Slots of a job that has just ended become free a moment later. */
    private static final Duration SLOTS_WAIT = Duration.ofSeconds(10);
    /** Longer than the timeouts after which a TaskManager gives up a JobManager that has died. */
    private static final Duration LOST_SLOTS_WAIT = Duration.ofSeconds(90);
    /** A job that starts also waits for its slots for a moment. */
    private static final Duration STUCK_WAIT = Duration.ofSeconds(2);

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration SHORTEST_PATIENCE = Duration.ofMinutes(1);
    private static final int PATIENT_CHECKPOINTS = 10;

    private final FlinkAddress address;
    private final FlinkRest flink;
    private final Path clusterFolder;

    /** @param clusterFolder of the local cluster, which may be another one than that at the address */
    JobHealth(FlinkAddress address, FlinkRest flink, Path clusterFolder) {
        this.address = address;
        this.flink = flink;
        this.clusterFolder = clusterFolder;
    }

    /**
     * Returns the progress of a job. An apparent obstacle is checked again after a moment, because a job that is being
     * started looks the same.
     */
    JobProgress of(LiveJob job) throws IOException {
        Duration patience = patience(job.options());
        JobProgress progress = flink.progress(job.id(), patience);
        if (progress.kind() == JobProgress.Kind.WAITS_FOR_SLOTS) {
            LockSupport.parkNanos(STUCK_WAIT.toNanos());
            progress = flink.progress(job.id(), patience);
        }
        if (progress.kind() != JobProgress.Kind.WAITS_FOR_SLOTS) {
            return progress;
        }
        ClusterSettings local = ClusterSettings.read(clusterFolder);
        int taskManagers = flink.slots().taskManagers();
        return local != null && local.flink(clusterFolder).equals(address) && taskManagers < local.taskManagers()
                ? progress.withReason(
                        "waiting for slots: %d of %d TaskManagers; ./cutwater cluster start starts the others"
                                .formatted(taskManagers, local.taskManagers()))
                : progress;
    }

    private static Duration patience(Map<String, String> options) {
        try {
            Duration checkpoints =
                    LiveJobOptions.of(options).checkpointInterval().multipliedBy(PATIENT_CHECKPOINTS);
            return checkpoints.compareTo(SHORTEST_PATIENCE) > 0 ? checkpoints : SHORTEST_PATIENCE;
        } catch (IllegalArgumentException e) {
            return SHORTEST_PATIENCE; // being started, so without options yet, or a job of another build
        }
    }

    /** Refuses a job that would wait for slots without anybody noticing. */
    void requireSlots(LiveJobOptions options) throws IOException {
        int needed = Math.max(options.bootstrapTasks(), Math.max(options.parallelism(), options.assigners()));
        long start = System.nanoTime();
        ClusterSlots slots = flink.slots();
        while (!slots.suffice(needed)
                && System.nanoTime() - start < (slots.willSuffice(needed) ? LOST_SLOTS_WAIT : SLOTS_WAIT).toNanos()) {
            LockSupport.parkNanos(POLL.toNanos());
            slots = flink.slots();
        }
        if (!slots.suffice(needed)) {
            throw new IOException(
                    "the job needs %s, and the Flink cluster at %s has %d free of %d; start more TaskManagers"
                                    .formatted(Counted.of(needed, "task slot"), address, slots.free(), slots.total())
                            + " (./cutwater cluster start --task-managers N), stop another job, or give a smaller"
                            + " --parallelism and --assigners");
        }
    }
}
